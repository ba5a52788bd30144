import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requireEngine, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { detailFixture, FakeOperator } from './fake-operator.ts';
import { Terminal } from './tmux.ts';

const tmux = requireEngine('tmux');
const BIN = fileURLToPath(new URL('../../bin/sallyport.js', import.meta.url));
const question = (number: number, title: string) =>
  detailFixture({
    id: `appr_${number}`,
    created_at: `2026-01-01T00:00:0${number}.000Z`,
    title,
    preview: title,
    binding: `b${number}`,
  });

let operator: FakeOperator;
beforeEach(async () => {
  operator = await FakeOperator.start();
});
afterEach(() => operator[Symbol.asyncDispose]());

describe.skipIf(tmux.missing)(`sallyport watch in a terminal (${tmux.install})`, () => {
  const open = () =>
    Terminal.open(`exec ${process.execPath} ${BIN} watch`, { SALLYPORT_HOME: operator.home, NO_COLOR: '1' });

  test('three questions are decided by key, and the screen says so each time', async () => {
    operator.put(question(1, 'git push origin main'));
    operator.put(question(2, 'rm -rf build'));
    operator.put(question(3, 'curl -X POST https://api.example.com/pay'));
    await using terminal = await open();
    const frames = [await terminal.shows(/3 waiting[\s\S]*1 Allow once/)];
    for (const [key, title, told] of [
      ['1', 'git push', /appr_1 is approved/],
      ['3', 'rm -rf', /appr_2 is denied/],
      ['2', 'curl', /appr_3 is approved/],
    ] as const) {
      await terminal.shows(new RegExp(`▶ high +${title}[\\s\\S]*1 Allow once`));
      await terminal.press(key);
      frames.push(await terminal.shows(told));
    }
    expect(operator.decisions).toEqual([
      { id: 'appr_1', body: { code: '1', binding: 'b1' } },
      { id: 'appr_2', body: { code: '3', binding: 'b2' } },
      { id: 'appr_3', body: { code: '2', binding: 'b3' } },
    ]);
    expect(frames[0]).toMatchSnapshot();
    await terminal.shows(/nothing waits for you/);
    await terminal.press('q');
    expect(await terminal.ended()).toBe(0);
  });

  test('what happens shows at once, the cursor moves, and a lost gateway is said and found again', async () => {
    operator.put(question(1, 'first'));
    await using terminal = await open();
    await terminal.shows(/1 waiting for you/);
    operator.put(question(2, 'second'));
    await terminal.shows(/2 waiting for you/);
    await terminal.press('Down');
    await terminal.shows(/▶ high {5}second/);
    operator.emit('ActionEvent::Judged', { verdict: 'allow', tool: '\u001b[2Jls' });
    await terminal.shows(/dev +\\u\{1b\}\[2Jls {2}→ allowed/);
    operator.dropWatchers();
    await terminal.shows(/no connection: the gateway closed the connection; trying again/);
    await waitFor('one watcher', () => expect(operator.watchers).toBe(1));
    operator.put({ ...question(1, 'first'), status: 'expired' }, 'ApprovalEvent::Expired');
    await terminal.shows(/1 waiting for you/);
  });
});

test('without a terminal it prints each event and each question once, as lines', async () => {
  operator.put(question(1, 'git push'));
  const child = spawn(process.execPath, [BIN, 'watch', '--json'], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, SALLYPORT_HOME: operator.home },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, { id: string }>);
  try {
    await waitFor('the first line', () => expect(lines()).toHaveLength(1));
    operator.put(question(2, 'second'));
    await waitFor('three lines', () => expect(lines()).toHaveLength(3));
    expect(lines().map((line) => Object.keys(line)[0])).toEqual(['approval', 'event', 'approval']);
    expect(lines()[2]?.['approval']?.id).toBe('appr_2');
  } finally {
    child.kill('SIGINT');
  }
  const code = await new Promise((resolve) => void child.once('exit', resolve));
  expect(code).toBe(0);
});
