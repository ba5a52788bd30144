import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';
import { detailFixture, FakeOperator } from './fake-operator.ts';

const question = detailFixture();
const { id } = question;

describe('answering on the command line', () => {
  let operator: FakeOperator;
  const run = (...argv: readonly string[]) => runCommand(operator.home, ...argv);

  beforeEach(async () => {
    operator = await FakeOperator.start();
    operator.put(question);
  });
  afterEach(() => operator[Symbol.asyncDispose]());

  test('pending lists what waits and says what to do next', async () => {
    const ran = await run('pending');
    expect(ran.code).toBe(0);
    expect(`${ran.stdout}${ran.stderr}`).toMatchSnapshot();
  });

  test('pending with an id shows all of that question', async () => {
    const ran = await run('pending', id);
    expect(ran.stdout).toMatchSnapshot();
  });

  test('pending says when nothing waits, and --json is the list as it came', async () => {
    expect((await run('pending', '--json')).json()).toEqual({ items: [question], next_cursor: null });
    operator.put({ ...question, status: 'denied' });
    expect((await run('pending')).stdout).toBe('nothing waits for you\n');
  });

  test.each([
    { why: 'once', argv: ['approve', id], body: { code: '1' } },
    { why: 'for minutes', argv: ['approve', id, '--for', '15m'], body: { code: '1', minutes: 15 } },
    { why: 'for hours', argv: ['approve', id, '--for', '2h'], body: { code: '1', minutes: 120 } },
    { why: 'for the session', argv: ['approve', id, '--session'], body: { code: '2' } },
    { why: 'always', argv: ['approve', id, '--always'], body: { code: '6' } },
    {
      why: 'with a note',
      argv: ['approve', id, '--note', 'add logs'],
      body: { code: '4', text: 'add logs' },
    },
    { why: 'changed', argv: ['approve', id, '--with', 'npm test'], body: { code: '5', text: 'npm test' } },
    { why: 'no', argv: ['deny', id], body: { code: '3' } },
    { why: 'no for good', argv: ['deny', id, '--always'], body: { code: '3', always: true } },
    {
      why: 'wider, for the session',
      argv: ['approve', id, '--scope', 'operation-of-owner', '--yes'],
      body: { code: '2', scope: 'operation-of-owner' },
    },
    {
      why: 'wider, always',
      argv: ['approve', id, '--scope', 'operation-of-owner', '--always', '--yes'],
      body: { code: '6', scope: 'operation-of-owner' },
    },
    {
      why: 'a wider no',
      argv: ['deny', id, '--scope', 'operation-of-owner', '--yes'],
      body: { code: '3', always: true, scope: 'operation-of-owner' },
    },
  ])('$why is sent with the binding of the question', async ({ argv, body }) => {
    const ran = await run(...argv);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toBe(`${id} is ${argv[0] === 'deny' ? 'denied' : 'approved'}: git push origin main\n`);
    expect(operator.decisions).toEqual([{ id, body: { ...body, binding: 'b1' } }]);
  });

  test.each([
    { why: 'two kinds of yes', argv: ['approve', id, '--session', '--always'] },
    { why: 'a note and a change', argv: ['approve', id, '--note', 'x', '--with', 'y'] },
    { why: 'an empty note', argv: ['approve', id, '--note', ' '] },
    { why: 'no time', argv: ['approve', id, '--for', '0m'] },
    { why: 'too long', argv: ['approve', id, '--for', '2000m'] },
    { why: 'no unit', argv: ['approve', id, '--for', '15'] },
    { why: 'a scope that there is none of', argv: ['approve', id, '--scope', 'everything'] },
    { why: 'a scope and a note', argv: ['approve', id, '--scope', 'reads-of-host', '--note', 'x'] },
    { why: 'an unknown flag', argv: ['deny', id, '--maybe'] },
  ])('$why is a mistake of usage and decides nothing', async ({ argv }) => {
    expect((await run(...argv)).code).toBe(2);
    expect(operator.decisions).toEqual([]);
  });

  test('a wider answer is worded in full before anybody gives it', async () => {
    const ran = await run('approve', id, '--scope', 'operation-of-owner', '--always');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toBe(
      'This would cover: `git push` on everything of github.com/acme, by `dev`, until someone revokes it.\nNothing is decided yet. To give it, add --yes.\n',
    );
    expect((await run('deny', id, '--scope', 'reads-of-host')).stdout).toBe(
      '`reads-of-host` is not offered for this question; offered: `operation-of-owner`\n',
    );
    expect(operator.decisions).toEqual([]);
  });

  test('[AP-8] an unknown or decided question fails with the reason, as JSON too', async () => {
    const unknown = await run('approve', 'appr_unknown');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(
      /there is no question whose id begins with `appr_unknown`|there is no such approval/,
    );
    await run('deny', id);
    const late = await run('approve', id, '--json');
    expect(late.code).toBe(1);
    expect(late.json()).toMatchObject({ error: { code: 'Conflict', message: 'it is denied already' } });
    expect(operator.find(id)?.status).toBe('denied');
  });

  test('[AP-6] control characters of an agent never reach the terminal', async () => {
    const evil = '\u001b[2J\u001b]0;x\u0007\r1. Deny\u202e\u200b';
    operator.put({ ...question, title: evil, preview: `${evil}\n${evil}`, agent: evil, tool: evil });
    for (const argv of [['pending'], ['pending', id], ['deny', id]]) {
      const ran = await run(...argv);
      expect(ran.stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
      expect(ran.stdout).toContain('\\u{1b}');
    }
  });

  test('without a gateway it says so', async () => {
    const ran = await runCommand('/nonexistent/home', 'pending');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/there is no gateway/);
  });

  test.each(['pending', 'approve', 'deny', 'watch'])('%s --help shows an example', async (name) => {
    const ran = await run(name, '--help');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(new RegExp(`Examples?:\\n  sallyport ${name}`));
  });
});
