import { readFileSync } from 'node:fs';
import type { JsonObject } from '@sallyport/protocol';
import { MCP_FIXTURE_PROGRAM, startMcpHttpFixture, waitUntil } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { RpcError } from '../../src/shared/json-rpc.ts';
import { codeOf, quietPeer, raw, ServersFixture } from './servers-fixture.ts';

const STDIO = { name: 'fix', executable: process.execPath, args: [MCP_FIXTURE_PROGRAM], sandbox: 'none' };

describe.each(['stdio', 'http'])('what passes through, over %s', (transport) => {
  async function open(): Promise<ServersFixture> {
    if (transport === 'stdio') return ServersFixture.open([STDIO]);
    const upstream = await startMcpHttpFixture();
    const fixture = await ServersFixture.open([{ name: 'fix', url: upstream.url }]);
    const close = fixture.close.bind(fixture);
    fixture.close = async () => {
      await close();
      await upstream[Symbol.asyncDispose]();
    };
    return fixture;
  }

  test('calls, resources, prompts, completions, and errors as the server gave them', async () => {
    await using fixture = await open();
    await fixture.status('fix', 'Running');
    const peer = quietPeer('p1');
    const server = fixture.servers.get('fix');
    expect(await fixture.says('mcp:fix/echo', { message: 'hi' }, { peer })).toBe('Echo: hi');
    expect(await server?.request('resources/list', undefined, { peer })).toHaveProperty('resources.0.uri');
    expect(await server?.request('prompts/list', {}, { peer })).toHaveProperty('prompts.0.name');
    expect(await server?.request('logging/setLevel', { level: 'info' }, { peer })).toEqual({});
    const missing = server?.request('resources/read', { uri: 'test://nothing' }, { peer });
    await expect(missing).rejects.toBeInstanceOf(RpcError);
    await expect(missing).rejects.toMatchObject({ code: -32_002, message: 'there is no such resource' });
  });

  test('progress goes to its own call, without the token of another', async () => {
    await using fixture = await open();
    const told: JsonObject[] = [];
    const meta = { progressToken: 'of the client', trace: 'x' };
    const onProgress = (progress: JsonObject): void => void told.push(progress);
    await fixture.calls('mcp:fix/test_tool_with_progress', {}, { peer: quietPeer('p1'), onProgress, meta });
    expect(told.map(({ progress }) => progress)).toEqual([0, 50, 100]);
    expect(told.every((progress) => !('progressToken' in progress))).toBe(true);
  });

  test('a token of the client’s own never reaches the server, which would report to another call by it', async () => {
    await using fixture = await open();
    const peer = quietPeer('p1');
    const told: JsonObject[] = [];
    const leaving = new AbortController();
    const { signal } = leaving;
    const onProgress = (progress: JsonObject): void => void told.push(progress);
    const first = fixture.calls('mcp:fix/hang', {}, { peer, signal, onProgress }).catch(() => undefined);
    // The handshake is request 1, the call above 2.
    await fixture.calls('mcp:fix/test_tool_with_progress', {}, { peer, meta: { progressToken: 2 } });
    leaving.abort();
    await first;
    expect(told).toEqual([]);
  });

  test('logs and questions go to the client whose call it is, with that call’s context', async () => {
    await using fixture = await open();
    const asked: unknown[] = [];
    const peer = quietPeer('p1', {
      capabilities: { sampling: {} },
      onRequest: async ({ method, context }) => {
        asked.push([method, context]);
        return { role: 'assistant', content: { type: 'text', text: 'forty-two' }, model: 'm' };
      },
    });
    const other = quietPeer('p2');
    await fixture.calls('mcp:fix/echo', { message: 'x' }, { peer: other });
    const answer = await fixture.says(
      'mcp:fix/test_sampling',
      { prompt: 'why' },
      { peer, context: 'call 1' },
    );
    expect(answer).toContain('forty-two');
    expect(asked).toEqual([['sampling/createMessage', 'call 1']]);
    await fixture.calls('mcp:fix/test_tool_with_logging', {}, { peer });
    await waitUntil('three messages of the server', () => peer.told.length >= 3);
    expect(peer.told.map(({ method }) => method)).toEqual(Array(3).fill('notifications/message'));
    expect(other.told).toEqual([]);
  });

  test('a question that the client refuses reaches the server as that refusal', async () => {
    await using fixture = await open();
    const refused = async (): Promise<never> => {
      throw new RpcError({ code: -1, message: 'the user said no' });
    };
    const peer = quietPeer('p1', { capabilities: { elicitation: {} }, onRequest: refused });
    const call = fixture.calls('mcp:fix/test_elicitation', { message: 'who' }, { peer });
    await expect(call).rejects.toMatchObject({ code: -32_603 });
  });

  test('[GA-1] tools can be neither listed nor called past the gate', async () => {
    await using fixture = await open();
    for (const method of ['tools/call', 'tools/list', 'initialize'])
      expect(await codeOf(fixture.servers.get('fix')?.request(method, {}) ?? Promise.resolve())).toBe(
        'NotAdmitted',
      );
  });
});

test('each client has a process of its own, and it ends with the client', async () => {
  await using fixture = await ServersFixture.open([STDIO]);
  const [one, two, own] = await Promise.all([
    fixture.says('mcp:fix/whoami', {}, { peer: quietPeer('p1') }),
    fixture.says('mcp:fix/whoami', {}, { peer: quietPeer('p2') }),
    fixture.says('mcp:fix/whoami'),
  ]);
  expect(new Set([one, two, own]).size).toBe(3);
  expect(await fixture.says('mcp:fix/whoami', {}, { peer: quietPeer('p1') })).toBe(one);
  expect(fixture.servers.get('fix')?.clients).toBe(2);
  await fixture.servers.dropPeer('p1');
  expect(fixture.servers.get('fix')?.clients).toBe(1);
  expect(() => process.kill(Number(one), 0)).toThrow();
});

test('more clients than there is room for: the idle one that was used longest ago makes room, a busy one never', async () => {
  await using fixture = await ServersFixture.open([STDIO], { limits: { peers: 2 } });
  const says = (id: string): Promise<unknown> => fixture.says('mcp:fix/whoami', {}, { peer: quietPeer(id) });
  const leaving = new AbortController();
  const first = await says('p1');
  const second = await says('p2');
  await says('p3');
  expect(await says('p2')).toBe(second);
  expect(await says('p1')).not.toBe(first);
  const busy = ['p1', 'p2'].map((id) =>
    fixture.calls('mcp:fix/hang', {}, { peer: quietPeer(id), signal: leaving.signal }).catch(() => undefined),
  );
  await waitUntil('two clients', () => fixture.servers.get('fix')?.clients === 2, {
    unless: Promise.race(busy),
  });
  expect(await codeOf(says('p4'))).toBe('ToolServerUnavailable');
  leaving.abort();
  await Promise.all(busy);
});

test('a client whose process cannot be started does not have another one started with each call', async () => {
  await using fixture = await ServersFixture.open([], {
    limits: { backoffMs: 60_000, longestBackoffMs: 60_000 },
  });
  const file = `${fixture.dir.path}/starts`;
  await fixture.apply([raw('once', { file })]);
  const peer = quietPeer('p1');
  for (let call = 0; call < 5; call += 1)
    expect(await codeOf(fixture.calls('mcp:raw/echo', {}, { peer }))).toBe('ToolServerUnavailable');
  expect(readFileSync(file, 'utf8')).toBe('started\nstarted\n');
});
