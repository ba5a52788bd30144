import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from '@sallyport/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openHttp, QUESTION } from './http-fixture.ts';

const run = promisify(execFile);
const EXAMPLES = join(import.meta.dirname, '../../../../examples');

let http: Awaited<ReturnType<typeof openHttp>>;
beforeEach(async () => {
  http = await openHttp();
});
afterEach(() => http[Symbol.asyncDispose]());

const example = (name: string, ...args: string[]) =>
  run(process.execPath, [join(EXAMPLES, name), ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SALLYPORT_URL: http.apiUrl,
      SALLYPORT_OPERATOR_URL: http.operatorUrl,
      SALLYPORT_API_KEY: http.apiKey,
      SALLYPORT_OPERATOR_TOKEN: http.operatorToken,
    },
  });
const decide = async (json: object) => {
  const { id } = await http.question();
  await http.operator(`/v1/approvals/${id}/decision`, { json });
  return id;
};
const client = () => connect({ apiKey: http.apiKey, url: http.apiUrl });

describe('the examples', () => {
  test('the demo creates, decides and looks', async () => {
    const { stdout } = await example('demo-approval.ts');
    const [created, decided, status] = stdout.trim().split('\n');
    expect(created).toMatch(
      /^created {2}\{"approval_id":"appr_[0-9a-z]{26}","status":"pending","auto":false,/,
    );
    expect(decided).toBe('decided  200');
    expect(status).toBe(
      'status   {"status":"approved","decision":{"code":"4","note":"add logs","override":null},' +
        '"session_id":"demo","action_type":"exec_cmd"}',
    );
  });

  test.each([
    [{ code: '1' }, 'from the agent\n'],
    [{ code: '3' }, 'not run: denied\n'],
    [{ code: '5', text: 'echo from a person' }, 'from a person\n'],
    [{ code: '4', text: 'careful' }, 'note: careful\nfrom the agent\n'],
  ])('the agent loop obeys %j', async (decision, output) => {
    const [{ stdout }] = await Promise.all([example('approve.ts', 'echo from the agent'), decide(decision)]);
    expect(stdout).toBe(output);
  });
});

describe('the client', () => {
  test('asks and waits', async () => {
    const [consent, id] = await Promise.all([client().approve(QUESTION), decide({ code: '2' })]);
    expect(consent).toEqual({ approved: true, approvalId: id, status: 'approved' });
    expect(await client().approve(QUESTION)).toMatchObject({ approved: true });
  });

  test('gives a timeout back as one', async () => {
    const consent = client().approve({ ...QUESTION, expires_in_sec: 1 });
    await http.question();
    http.clock.advance(1_000);
    await http.open.sweep();
    expect(await consent).toMatchObject({ approved: false, status: 'expired' });
  });

  test('rejects a question that the policy refuses, with its code', async () => {
    http.setPolicy({ permissions: ['deny:@exec_cmd'] });
    await expect(client().approve(QUESTION)).rejects.toMatchObject({ code: 'RuleDenied' });
  });

  test('stops waiting when it is told to, and the question goes on', async () => {
    const caller = new AbortController();
    const consent = client().approve(QUESTION, { signal: caller.signal });
    await http.question();
    caller.abort();
    await expect(consent).rejects.toThrow();
    expect(await http.pending()).toHaveLength(1);
  });

  test('with a key asks once', async () => {
    const options = { idempotencyKey: 'k' };
    const [first, second] = [await client().ask(QUESTION, options), await client().ask(QUESTION, options)];
    expect(second).toEqual(first);
  });

  test('sees and gives back its rules', async () => {
    await Promise.all([client().approve(QUESTION), decide({ code: '6' })]);
    const [rule] = await client().allowRules();
    expect(rule).toMatchObject({ action_type: 'exec_cmd', enabled: true });
    await client().revokeRule(rule?.rule_id ?? '');
    expect(await client().allowRules()).toMatchObject([{ enabled: false }]);
  });
});
