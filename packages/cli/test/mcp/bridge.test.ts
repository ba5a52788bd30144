import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  MCP_FIXTURE_PROGRAM,
  startTestGateway,
  type TestGateway,
  tempDir,
  waitFor,
} from '@sallyport/testkit';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../../bin/sallyport.js');
const CONFIG = `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [member] } }
    mode: cautious
    exceptions: ["mcp:*"]
roles: { member: { allow: ["agent:*", "tool:*"] } }
agents: { dev: { permissions: ["allow:*"] } }
mcp_servers:
  - { name: fix, executable: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(MCP_FIXTURE_PROGRAM)}], sandbox: none }
`;

interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly code?: string };
  };
}

/** `sallyport mcp` as a client starts it. */
class Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly heard: Message[] = [];
  #nextId = 1;

  constructor(home: string, env: Readonly<Record<string, string>> = {}, ...flags: readonly string[]) {
    this.child = spawn(process.execPath, [PROGRAM, 'mcp', '--home', home, ...flags], {
      env: { PATH: process.env.PATH, HOME: home, ...env },
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.heard.push(JSON.parse(line)));
    onTestFinished(async () => {
      if (this.child.exitCode !== null || this.child.signalCode !== null) return;
      const gone = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await gone;
    });
  }

  send(message: object | string): void {
    this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  async ask(method: string, params: object = {}): Promise<Message> {
    const id = this.#nextId++;
    this.send({ jsonrpc: '2.0', id, method, params });
    return waitFor(`the answer to ${method}`, () => {
      const found = this.heard.find((message) => message.id === id && message.method === undefined);
      if (found === undefined) throw new Error(`no answer to ${method}`);
      return found;
    });
  }

  async initialize(): Promise<Message> {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: { sampling: {} },
      clientInfo: { name: 't', version: '1' },
    };
    const answer = await this.ask('initialize', params);
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }
}

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ config: CONFIG });
});
afterEach(() => gateway.close());

const echo = { name: 'fix/echo', arguments: { message: 'a' } };
const sessions = async (): Promise<readonly { readonly confinement: string }[]> =>
  (await gateway.operator('/v1/sessions')).json<{ items: readonly { confinement: string }[] }>().items;

test('a client that starts it has the tools of the gateway, in an unconfined session that ends with it', async () => {
  const started = new Started(gateway.home);
  expect(await started.initialize()).toMatchObject({ result: { serverInfo: { name: 'sallyport' } } });
  expect(await started.ask('tools/call', echo)).toMatchObject({ result: { content: [{ text: 'Echo: a' }] } });
  expect(await sessions()).toMatchObject([{ confinement: 'unconfined' }]);
  started.child.stdin.end();
  expect((await once(started.child, 'exit'))[0]).toBe(0);
  await waitFor('the end of the session', async () => expect(await sessions()).toEqual([]));
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'ended by %s it leaves no session behind',
  async (signal) => {
    const started = new Started(gateway.home);
    await started.initialize();
    expect(await sessions()).toHaveLength(1);
    started.child.kill(signal);
    await once(started.child, 'exit');
    await waitFor('the end of the session', async () => expect(await sessions()).toEqual([]));
  },
);

test('[ID-7] below an agent, whose processes are refused on the operator side, it opens its session as an agent', async () => {
  // From now on an agent was seen, and what it marks is known as its own.
  await gateway.openSession();
  const before = (await sessions()).length;
  const started = new Started(gateway.home, { CLAUDECODE: '1' });
  await started.initialize();
  expect(await started.ask('tools/call', echo)).toMatchObject({ result: { content: [{ text: 'Echo: a' }] } });
  expect(await sessions()).toHaveLength(before + 1);
  expect(gateway.log.join('')).not.toContain('refused on the operator side');
});

test('where the secret of the home opens nothing it holds a session of the operator side', async () => {
  writeFileSync(join(gateway.home, 'enrollment.secret'), 'one-of-another-gateway');
  const started = new Started(gateway.home);
  await started.initialize();
  expect(await started.ask('tools/call', echo)).toMatchObject({ result: { content: [{ text: 'Echo: a' }] } });
  started.child.kill('SIGKILL');
  await waitFor('the end of the session', async () => expect(await sessions()).toEqual([]));
});

test('what a server asks goes to the client, and its answer back', async () => {
  const started = new Started(gateway.home, {}, '--server', 'fix');
  await started.initialize();
  const called = started.ask('tools/call', { name: 'test_sampling', arguments: { prompt: 'what?' } });
  const asked = await waitFor('the question of the server', () => {
    const found = started.heard.find(({ method }) => method === 'sampling/createMessage');
    if (found === undefined) throw new Error('not asked');
    return found;
  });
  const content = { type: 'text', text: 'forty-two' };
  started.send({ jsonrpc: '2.0', id: asked.id, result: { role: 'assistant', model: 'm', content } });
  expect(await called).toMatchObject({ result: { content: [{ text: 'LLM response: forty-two' }] } });
});

test('with a session in its environment it opens none of its own', async () => {
  const { session_token: token } = await gateway.openSession();
  const started = new Started(gateway.home, { SALLYPORT_API: gateway.urls.api, SALLYPORT_TOKEN: token });
  await started.initialize();
  expect(await started.ask('tools/call', echo)).toMatchObject({ result: { content: [{ text: 'Echo: a' }] } });
  expect(await sessions()).toHaveLength(1);
});

test('without a gateway each request is an error that says how to start it, and junk is no crash', async () => {
  const empty = await tempDir();
  onTestFinished(() => empty.remove());
  const started = new Started(empty.path);
  const answer = await started.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {} });
  expect(answer.error).toMatchObject({ data: { code: 'GatewayNotRunning' } });
  expect(answer.error?.message).toContain('sallyport start');
  started.send('this is no JSON');
  await waitFor('an error for what is no JSON', () =>
    expect(started.heard.at(-1)).toMatchObject({ id: null, error: { code: -32700 } }),
  );
  expect((await started.ask('tools/call', echo)).error).toMatchObject({
    data: { code: 'GatewayNotRunning' },
  });
});

test('a session that was ended under it is opened anew, and the client notices nothing', async () => {
  const started = new Started(gateway.home);
  await started.initialize();
  expect(await started.ask('tools/call', echo)).toMatchObject({ result: { content: [{ text: 'Echo: a' }] } });
  const [session] = (await gateway.operator('/v1/sessions')).json<{ items: readonly { id: string }[] }>()
    .items;
  await gateway.operator(`/v1/sessions/${session?.id}`, { method: 'DELETE' });
  const again = await waitFor('a call that works again', async () => {
    const answer = await started.ask('tools/call', echo);
    expect(answer.result).toBeDefined();
    return answer;
  });
  expect(again).toMatchObject({ result: { content: [{ text: 'Echo: a' }] } });
});
