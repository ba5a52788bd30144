import type { JsonObject } from '@sallyport/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSealFixture, type SealFixture, TestWorker } from './seal-fixture.ts';

let fixture: SealFixture;
let worker: TestWorker;

beforeAll(async () => {
  // A result may be late by as much as the test needs to be early.
  fixture = await openSealFixture({ graceMs: -900, outputBytes: 1_000, atOnce: 3 });
  worker = await fixture.attached();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const STARTED = 'CommandExecutionEvent::CommandExecutionStarted';
const COMPLETED = 'CommandExecutionEvent::CommandExecutionCompleted';
const FAILED = 'CommandExecutionEvent::CommandExecutionFailed';
const BLOCKED = 'SealEvent::PolicyViolationBlocked';

test('[TO-7] a command goes to the worker that asked, and its result ends the call', async () => {
  await fixture.news();
  const { payload, status } = await worker.post(worker.envelope(worker.call('echo', 'hello', '$HOME')));
  expect(status).toBe(200);
  expect(payload).toMatchObject({
    ...{ type: 'dispatch', action: 'exec', command: 'echo', args: ['hello', '$HOME'], cwd: null },
    ...{ env_additions: {}, timeout_secs: 120, max_output_bytes: 1_000 },
  });
  const id = payload.type === 'dispatch' ? payload.dispatch_id : '';
  const begun = await fixture.newsWith(STARTED);
  // Of what is allowed at once the request stands in the event of its verdict.
  const also = begun.flatMap(({ data }) => (data['also'] ?? []) as readonly { readonly type: string }[]);
  expect(also.map(({ type }) => type)).toContain('MCPToolEvent::InvocationRequested');
  const answer = await worker.post(worker.envelope(worker.result(id)));
  expect(answer).toMatchObject({
    status: 200,
    payload: {
      type: 'tool_result',
      is_error: false,
      content: 'hello\n',
      metadata: {
        untrusted: true,
        structured_content: { exit_code: 0, stdout: 'hello\n', stderr: '', truncated: false },
      },
    },
  });
  const over = await fixture.newsWith('MCPToolEvent::InvocationCompleted');
  expect(over.find(({ type }) => type === COMPLETED)?.data).toMatchObject({ dispatch: id, exit_code: 0 });
});

test('a command that fails is told as it ended, and recorded as completed with its code', async () => {
  const id = await worker.ordered();
  await fixture.news();
  const failed = worker.result(id, { exit_code: 3, stdout: '', stderr: 'no\n' });
  expect((await worker.post(worker.envelope(failed))).payload).toMatchObject({
    ...{
      type: 'tool_result',
      is_error: true,
      metadata: { structured_content: { exit_code: 3, stderr: 'no\n' } },
    },
  });
  const seen = await fixture.newsWith('MCPToolEvent::InvocationFailed');
  expect(seen.find(({ type, data }) => type === COMPLETED && data.dispatch === id)?.data).toMatchObject({
    ...{ exit_code: 3, via: 'worker' },
  });
});

describe('[TO-7] a result is refused, with an event, and does not end the call', () => {
  test.each<{
    why: string;
    send: (id: string) => Promise<[TestWorker, JsonObject]> | [TestWorker, JsonObject];
  }>([
    {
      why: 'an id that nobody gave',
      send: () => [worker, worker.result('c7a3f1e2-84b1-4a3c-9d7e-1f2a3b4c5d6e')],
    },
    {
      why: 'the id of another execution',
      send: async (id) => {
        const other = await fixture.attached();
        return [other, other.result(id)];
      },
    },
    {
      why: 'the id of another execution, in its name',
      send: async (id) => [await fixture.attached(), worker.result(id)],
    },
    {
      why: 'the own id in the name of another execution',
      send: async (id) => [worker, worker.result(id, { execution_id: 'exec_other' })],
    },
    {
      why: 'an execution of another tenant',
      send: async (id) => {
        const other = await fixture.attached(await fixture.openSession('other'));
        return [other, other.result(id)];
      },
    },
  ])('$why', async ({ send }) => {
    const id = await worker.ordered();
    const [sender, message] = await send(id);
    await fixture.news();
    expect(await sender.post(sender.envelope(message))).toMatchObject({
      status: 403,
      payload: { type: 'refused', violation: 'DispatchNotOutstanding' },
    });
    const blocked = (await fixture.newsWith(BLOCKED)).find(({ type }) => type === BLOCKED);
    expect(blocked?.data).toMatchObject({ violation: 'DispatchNotOutstanding', what: 'dispatch_result' });
    // The one that was asked can still answer.
    expect((await worker.post(worker.envelope(worker.result(id)))).payload.type).toBe('tool_result');
  });

  test('for the second time', async () => {
    const id = await worker.ordered();
    expect((await worker.post(worker.envelope(worker.result(id)))).payload.type).toBe('tool_result');
    expect((await worker.post(worker.envelope(worker.result(id)))).payload).toMatchObject({
      violation: 'DispatchNotOutstanding',
    });
  });

  test('after its time', async () => {
    await fixture.news();
    const call = { ...worker.call('echo'), arguments: { command: 'echo', timeout_secs: 1 } };
    const { payload } = await worker.post(worker.envelope(call));
    const id = payload.type === 'dispatch' ? payload.dispatch_id : '';
    const failed = (await fixture.newsWith(FAILED)).find(({ type }) => type === FAILED);
    expect(failed?.data).toMatchObject({ violation: 'CommandTimeout', dispatch: id });
    expect((await worker.post(worker.envelope(worker.result(id)))).payload).toMatchObject({
      violation: 'DispatchNotOutstanding',
    });
  });

  test('of a worker whose place another has taken: the call ends as lost', async () => {
    const own = await fixture.attached();
    const id = await own.ordered();
    await fixture.news();
    const next = await fixture.createWorkload(own.workload.session_id, own.workload.execution_id);
    const failed = (await fixture.newsWith(FAILED)).find(({ type }) => type === FAILED);
    expect(failed?.data).toMatchObject({ violation: 'WorkerLost', dispatch: id });
    expect((await own.post(own.envelope(own.result(id)))).payload).toMatchObject({
      violation: 'SecurityTokenRefused',
    });
    const other = new TestWorker(fixture, next);
    await other.attest();
    expect((await other.post(other.envelope(other.result(id)))).payload).toMatchObject({
      violation: 'DispatchNotOutstanding',
    });
  });
});

test('a worker that attested again can still answer for what it was given', async () => {
  const own = await fixture.attached();
  const id = await own.ordered();
  expect((await own.attestAgain()).status).toBe(200);
  expect((await own.post(own.envelope(own.result(id)))).payload.type).toBe('tool_result');
});

test('[TO-6] who is in the jail of one session speaks for no other, whatever key was found there', async () => {
  const own = await fixture.attached();
  const session = await fixture.openSession();
  const workload = await fixture.createWorkload(own.workload.session_id);
  try {
    fixture.bound = session;
    expect((await own.post(own.envelope(own.call('echo')))).payload).toMatchObject({
      violation: 'SecurityTokenRefused',
    });
    expect((await new TestWorker(fixture, workload).attest()).status).toBe(403);
    expect((await fixture.attached(session)).token).not.toBe('');
  } finally {
    fixture.bound = undefined;
  }
});

test('output over the limit is cut, marked and named, whether or not the worker counted', async () => {
  const id = await worker.ordered();
  await fixture.news();
  const long = worker.result(id, { stdout: `${'ö'.repeat(450)}a`, stderr: 'e'.repeat(200) });
  const { payload } = await worker.post(worker.envelope(long));
  expect(payload).toMatchObject({
    ...{ type: 'tool_result', is_error: true },
    metadata: {
      structured_content: { truncated: true, violation: 'OutputSizeLimitExceeded', stderr: 'e'.repeat(99) },
    },
  });
  const failed = (await fixture.newsWith(FAILED)).find(({ type }) => type === FAILED);
  expect(failed?.data).toMatchObject({ violation: 'OutputSizeLimitExceeded', truncated: true });
});

test('commands of one execution that run at once are bounded', async () => {
  const own = await fixture.attached();
  await Promise.all([own.ordered(), own.ordered(), own.ordered()]);
  expect((await own.post(own.envelope(own.call('echo')))).payload).toMatchObject({
    ...{ type: 'refused', violation: 'TooManyRequests' },
  });
});

describe('what the gate refuses is refused with its own violation, and blocked is recorded', () => {
  test.each([
    { call: { command: 'rm', args: ['-rf', '/'] }, tool: 'cmd.run', violation: 'CommandNotAllowed' },
    { call: {}, tool: 'cmd.run', violation: 'CommandNotAllowed' },
    { call: { path: '/x' }, tool: 'fs.read', violation: 'ToolNotAllowed' },
    { call: {}, tool: 'no.such', violation: 'ToolNotAllowed' },
  ])('$tool $call: $violation', async ({ call, tool, violation }) => {
    await fixture.news();
    const message = { type: 'tool_call', tool, arguments: call };
    expect(await worker.post(worker.envelope(message))).toMatchObject({
      status: 403,
      payload: { type: 'refused', violation },
    });
    const news = await fixture.newsWith(BLOCKED);
    expect(news.find(({ type }) => type === BLOCKED)?.data).toMatchObject({ violation, what: tool });
    const judged =
      tool === 'cmd.run'
        ? 'CommandExecutionEvent::CommandPolicyViolation'
        : 'MCPToolEvent::ToolPolicyViolation';
    expect(news.map(({ type }) => type)).toContain(judged);
    // Other commands of these tests are all `echo`.
    expect(news.filter(({ type, data }) => type === STARTED && data.command !== 'echo')).toEqual([]);
  });

  test.each([
    { input: { command: 'echo', env: { LD_PRELOAD: '/x.so' } }, why: 'variables' },
    { input: { command: 'echo', cwd: '../up' }, why: 'a folder that goes up' },
    { input: { command: 'echo', timeout_secs: 100_000 }, why: 'a time without end' },
  ])('an input that `cmd.run` does not take is refused: $why', async ({ input }) => {
    const message = { type: 'tool_call', tool: 'cmd.run', arguments: input };
    expect((await worker.post(worker.envelope(message))).payload).toMatchObject({ violation: 'BadRequest' });
  });
});
