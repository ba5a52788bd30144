import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpTarget, Verdict } from '@sallyport/protocol';
import { FakeClock, waitFor } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadActionBuilders } from '../../src/actions/index.ts';
import { ToolCalls } from '../../src/calls/index.ts';
import { MemoryCoordination } from '../../src/coordination/index.ts';
import { HookDoor } from '../../src/doors/hook/hook-door.ts';
import type { HttpJob } from '../../src/executors/index.ts';
import * as executors from '../../src/executors/index.ts';
import { Ear, get, openEgress, rawUpstream } from '../egress/egress-fixture.ts';
import { actionOf, type Executing, openExecutor } from './executor-fixture.ts';

const builder = (await loadActionBuilders())();

/**
 * What else is exported: the test that shows that it runs nothing without a permit, and every method it has. A new
 * method must be listed here to pass: whoever lists it says that it carries nothing out, or shows that it wants a permit.
 */
const ELSEWHERE: Readonly<Record<string, { readonly test: string; readonly methods: readonly string[] }>> = {
  CommandExecutor: { test: 'ssh/command-executor.test.ts', methods: ['checkIsolated', 'run'] },
  CommandPath: {
    test: 'executors/permit.test.ts',
    methods: ['tools', 'knows', 'run', 'settle', 'lose'],
  },
  FilesPath: {
    test: 'files/file-tools.test.ts',
    methods: ['update', 'context', 'tools', 'knows', 'run', 'refused'],
  },
  createFilesPath: { test: 'files/file-tools.test.ts', methods: [] },
  McpServers: {
    test: 'mcp-servers/peers.test.ts',
    methods: [
      ...['apply', 'close', 'get', 'ofTenant', 'find', 'nameOf', 'skipsJudge', 'onlyReads', 'onChange'],
      ...['dropPeer', 'states', 'pending', 'accept', 'restart'],
    ],
  },
  plainResult: { test: 'executors/permit.test.ts', methods: [] },
  ServersPath: { test: 'mcp-servers/isolation.test.ts', methods: ['tools', 'knows', 'run'] },
  ToolRouter: { test: 'mcp-servers/isolation.test.ts', methods: ['tools', 'knows', 'run'] },
};

/** Every way to carry something out. A new executor, or a new method of one, must be listed here to pass. */
const METHODS: Readonly<
  Record<string, Readonly<Record<string, (with_: Executing, job: HttpJob) => unknown>>>
> = {
  HttpExecutor: {
    send: ({ executor }, job) => executor.send(job, new Ear()),
    connect: ({ executor }, job) => executor.connect(job),
    upgrade: async ({ executor }, job) => {
      const answer = await executor.upgrade(job, 'websocket');
      // Nobody reads it: it ends with the way out.
      if (answer.kind === 'answered') answer.body.on('error', () => {});
    },
  },
};

function methodsOf(value: object): readonly string[] {
  const prototype: unknown = Reflect.get(value, 'prototype');
  return Object.getOwnPropertyNames(prototype ?? {}).filter((method) => method !== 'constructor');
}

async function refusalOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

async function setUp() {
  const upstream = await rawUpstream((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  const executing = await openExecutor();
  onTestFinished(async () => {
    await executing[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });
  return { upstream, executing };
}

test('[GA-1] every executor there is, and every method of it, is walked here', () => {
  const found = Object.entries(executors)
    .filter(([name, value]) => typeof value === 'function' && !Object.hasOwn(ELSEWHERE, name))
    .map(([name, value]) => [name, methodsOf(value)]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(METHODS).map(([name, methods]) => [name, Object.keys(methods)])),
  );
});

test.each(Object.entries(ELSEWHERE))('[GA-1] %s has no method that nobody looked at', (name, known) => {
  const value: unknown = Reflect.get(executors, name);
  expect(typeof value === 'function' ? methodsOf(value) : undefined).toEqual(known.methods);
  const text = readFileSync(join(import.meta.dirname, '..', known.test), 'utf8');
  expect(text).toContain('[GA-1]');
});

test('[GA-1] the run of CommandPath refuses a verdict that the gate did not give', async () => {
  const path = new executors.CommandPath({ trail: { note: () => undefined } });
  const verdict: Verdict = { kind: 'allow', by: 'policy', opinions: [] };
  const job = { action: actionOf(get(1), undefined), verdict, signal: new AbortController().signal };
  expect(await refusalOf(() => path.run(job))).toMatchObject({ code: 'NotAdmitted' });
});

/** A gate that only looks like one: it says yes, and gives no permit. */
const FORGED = {
  gate: {
    decide: () => ({ verdict: { kind: 'allow', by: 'policy', opinions: [] } as const, held: undefined }),
  },
  trail: { note: () => undefined, append: async () => ({ id: '', seq: 0 }) },
  onProblem: (error: unknown) => {
    throw error;
  },
  builderFor: () => builder,
};

test('[GA-1] nothing is read of a server with a verdict that the gate did not give', async () => {
  const calls = new ToolCalls({
    ...FORGED,
    policyOf: () => undefined,
    routes: { tools: () => [], knows: () => true, run: () => expect.unreachable() },
    worldOf: () => ({ cwd: '/' }),
  });
  const outcome = await calls.read({
    ...{ door: 'mcp', server: 'box', method: 'resources/read', input: {} },
    actor: actionOf(get(1), undefined).actor,
    signal: new AbortController().signal,
    run: () => expect.unreachable('it was asked'),
  });
  expect(outcome).toMatchObject({ kind: 'failed', refusal: { code: 'NotAdmitted' } });
});

test('[GA-1] a hook is told no with a verdict that the gate did not give', async () => {
  await using executing = await openExecutor();
  const session = executing.lending.sessions.get('sess_dev');
  if (session === undefined) throw new Error('no session');
  const hooks = new HookDoor({
    ...FORGED,
    coordination: new MemoryCoordination(new FakeClock(0)),
    toolsReady: () => undefined,
    version: '0',
    stopping: new AbortController().signal,
  });
  const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, cwd: '/' };
  const answer = await hooks.answer({
    ...{ client: 'claude-code', session, event, home: '/', waitMs: 1_000 },
    gone: new AbortController().signal,
  });
  expect(answer).toMatchObject({ decision: 'deny', code: 'NotAdmitted' });
});

test('[GA-1] the far end of a connection cannot be had but from an executor', () => {
  expect(Object.keys(executors)).not.toContain('Line');
});

const all = Object.entries(METHODS).flatMap(([executor, methods]) =>
  Object.entries(methods).map(([method, run]) => ({ executor, method, run })),
);

describe.each(all)('[GA-1] the $method of $executor', ({ run }) => {
  test.each<{ why: string; forge: (executing: Executing, port: number) => HttpJob }>([
    { why: 'no verdict of the gate', forge: (executing, port) => executing.job(get(port)) },
    {
      why: 'a copy of one',
      forge: (executing, port) => {
        const job = executing.admitted(get(port));
        return { ...job, verdict: { ...job.verdict } };
      },
    },
    {
      why: 'the verdict on another action',
      forge: (executing, port) => ({
        ...executing.admitted(get(port)),
        action: actionOf(get(port, { target: '/other' }), 'api'),
      }),
    },
    {
      why: 'another host than was judged',
      forge: (executing, port) => ({
        ...executing.admitted(get(port)),
        request: get(port, { host: 'evil.example' }),
      }),
    },
    {
      why: 'another port than was judged',
      forge: (executing, port) => ({ ...executing.admitted(get(port + 1)), request: get(port) }),
    },
    {
      why: 'another method than was judged',
      forge: (executing, port) => ({
        ...executing.admitted(get(port)),
        request: get(port, { method: 'DELETE' }),
      }),
    },
    {
      why: 'another path than was judged',
      forge: (executing, port) => ({
        ...executing.admitted(get(port)),
        request: get(port, { target: '/admin' }),
      }),
    },
    {
      why: 'another credential than was judged',
      forge: (executing, port) => ({ ...executing.admitted(get(port)), credential: 'root' }),
    },
    {
      why: 'a credential where none was judged',
      forge: (executing, port) =>
        executing.admitted(get(port), { action: actionOf(get(port), undefined), credential: 'api' }),
    },
    {
      why: 'another session than was judged',
      forge: (executing, port) => {
        const session = executing.lending.sessions.get('sess_ops');
        if (session === undefined) throw new Error('no session');
        return { ...executing.admitted(get(port)), session };
      },
    },
    {
      why: 'a refusal',
      forge: (executing, port) => {
        const refusal: Verdict = { kind: 'deny', violation: 'RuleDenied', reason: 'no', opinions: [] };
        // What a door with a bug would do.
        return executing.admitted(get(port), { verdict: refusal as unknown as HttpJob['verdict'] });
      },
    },
  ])('does nothing with $why', async ({ forge }) => {
    const { upstream, executing } = await setUp();
    const job = forge(executing, upstream.port);
    expect(await refusalOf(() => run(executing, job))).toMatchObject({ code: 'NotAdmitted' });
    expect(upstream.sockets).toHaveLength(0);
    expect(executing.lending.reads()).toHaveLength(0);
  });

  test('works once with the verdict of the gate', async () => {
    const { upstream, executing } = await setUp();
    const request = get(upstream.port);
    const job = executing.admitted(request, { action: actionOf(request, undefined), credential: undefined });
    expect(await refusalOf(() => run(executing, job))).toBeUndefined();
    expect(await refusalOf(() => run(executing, job))).toMatchObject({ code: 'NotAdmitted' });
  });
});

describe('[GA-1] the connect of HttpExecutor leads to this machine', () => {
  const forward = (executing: Executing, port: number, isForward: boolean): HttpJob => {
    const request = get(port, { host: '127.0.0.1', method: 'CONNECT', target: '' });
    const judged = actionOf(request, undefined);
    if (judged.target.kind !== 'http') throw new Error('no request');
    const target: HttpTarget = { ...judged.target, ...(isForward ? { forward: true } : {}) };
    return executing.admitted(request, { action: { ...judged, target }, credential: undefined });
  };

  test('where the judged action says that a person opened the port', async () => {
    const { upstream, executing } = await setUp();
    const line = await executing.executor.connect(forward(executing, upstream.port, true));
    line.close();
    await waitFor('the connection', () => expect(upstream.sockets).toHaveLength(1));
  });

  test('and never by a door that only says so', async () => {
    const { upstream, executing } = await setUp();
    await using egress = openEgress({ config: () => ({ tenants: { default: {} } }) });
    const { broker, trail } = executing.lending;
    const executor = new executors.HttpExecutor({ egress, broker, trail, onSessionEnded: () => {} });
    const job = { ...forward(executing, upstream.port, false), forward: true };
    expect(await refusalOf(() => executor.connect(job))).toMatchObject({ code: 'AddressClosed' });
    expect(upstream.sockets).toHaveLength(0);
  });
});
