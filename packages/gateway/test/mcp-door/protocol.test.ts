import type { TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDoor } from './door-fixture.ts';
import { McpTestClient, messagesOf } from './mcp-client.ts';

let gateway: TestGateway;
let client: McpTestClient;
beforeAll(async () => {
  gateway = await startDoor();
  client = await McpTestClient.open(gateway);
});
afterAll(() => gateway.close());

describe('what is no message of MCP', () => {
  const junk: readonly { body: unknown; status: number; code: number; why: string }[] = [
    { body: '{"jsonrpc":"2.0",', status: 400, code: -32700, why: 'JSON that breaks off' },
    { body: '"hello"', status: 400, code: -32600, why: 'a text' },
    { body: 'null', status: 400, code: -32600, why: 'nothing' },
    { body: [], status: 400, code: -32600, why: 'an empty list' },
    {
      body: [{ jsonrpc: '2.0', id: 1, method: 'ping' }],
      status: 400,
      code: -32600,
      why: 'a list of messages, which the protocol took back',
    },
    { body: { id: 1, method: 'ping' }, status: 400, code: -32600, why: 'no version' },
    { body: { jsonrpc: '1.0', id: 1, method: 'ping' }, status: 400, code: -32600, why: 'another version' },
    { body: { jsonrpc: '2.0', id: 1 }, status: 400, code: -32600, why: 'neither method nor result' },
    {
      body: { jsonrpc: '2.0', id: {}, method: 'ping' },
      status: 400,
      code: -32600,
      why: 'an id that is none',
    },
    { body: { jsonrpc: '2.0', id: null, method: 'ping' }, status: 400, code: -32600, why: 'an id of null' },
    { body: { jsonrpc: '2.0', id: 1.5, method: 'ping' }, status: 400, code: -32600, why: 'a broken id' },
    { body: { jsonrpc: '2.0', id: 1, method: 7 }, status: 400, code: -32600, why: 'a method that is none' },
    {
      body: { jsonrpc: '2.0', id: 1, method: 'ping', params: [] },
      status: 400,
      code: -32600,
      why: 'a list of params',
    },
    {
      body: { jsonrpc: '2.0', id: 1, result: {}, error: {} },
      status: 400,
      code: -32600,
      why: 'result and error',
    },
    {
      body: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}',
      status: 400,
      code: -32700,
      why: 'a prototype',
    },
    {
      body: '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"\\u005f_proto__":{}}}',
      status: 400,
      code: -32700,
      why: 'a prototype, veiled',
    },
    {
      body: { jsonrpc: '2.0', id: 1, method: 'no/such' },
      status: 200,
      code: -32601,
      why: 'an unknown method',
    },
    {
      body: { jsonrpc: '2.0', id: 1, method: 'tasks/list' },
      status: 200,
      code: -32601,
      why: 'a method that is not passed on',
    },
    {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} },
      status: 200,
      code: -32602,
      why: 'a call of nothing',
    },
    {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'fix/echo', arguments: [] } },
      status: 200,
      code: -32602,
      why: 'arguments that are a list',
    },
  ];
  test.each(junk)('$why is refused, and the session goes on', async ({ body, status, code }) => {
    const response = await client.post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect((await client.request('ping')).answer.result).toEqual({});
  });

  test('a body that is too large is refused before it is read', async () => {
    const response = await client.post(
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'a'.repeat(5_000_000)}"}}`,
    );
    expect(response.status).toBe(413);
  });

  test('answers to nothing, cancellations of nothing and unknown notifications change nothing', async () => {
    for (const message of [
      { jsonrpc: '2.0', id: 'sallyport-1', result: {} },
      { jsonrpc: '2.0', id: 99, error: { code: 1, message: 'no' } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4711 } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} },
      { jsonrpc: '2.0', method: 'notifications/no-such' },
    ])
      expect((await client.post(message)).status).toBe(202);
    expect((await client.request('ping')).answer.result).toEqual({});
  });
});

describe('who is asking', () => {
  test('without a token it is 401, and says how to authenticate', async () => {
    const response = await client.post(
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { headers: { authorization: '' } },
    );
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('[ID-3] the MCP session of another gateway session is as unknown as one that never was', async () => {
    const { session_token: token } = await gateway.openSession();
    const stranger = new McpTestClient(gateway, token);
    stranger.session = client.session;
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const foreign = await stranger.post(ping);
    stranger.session = crypto.randomUUID();
    const unknown = await stranger.post(ping);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(await foreign.text()).toBe(await unknown.text());
    stranger.session = client.session;
    expect((await stranger.get()).status).toBe(404);
    const removed = await fetch(stranger.url, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, 'mcp-session-id': client.session ?? '' },
    });
    expect(removed.status).toBe(404);
    expect((await client.request('ping')).answer.result).toEqual({});
  });

  test('the MCP session of one address does not reach another', async () => {
    const other = new McpTestClient(gateway, client.token, '/mcp/fix');
    other.session = client.session;
    expect((await other.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(404);
  });

  test('a server that does not exist is 404', async () => {
    const other = new McpTestClient(gateway, client.token, '/mcp/nobody');
    const response = await other.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    expect(response.status).toBe(404);
  });

  test('nothing is answered before initialize, nor in a version that is not spoken', async () => {
    const fresh = new McpTestClient(gateway, client.token);
    expect((await fresh.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(400);
    const headers = { 'mcp-protocol-version': '1999-01-01' };
    expect((await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { headers })).status).toBe(400);
  });

  test.each([
    ['a page of another origin', { origin: 'http://evil.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('a request of %s is refused', async (_why, headers) => {
    const response = await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { headers });
    expect(response.status).toBe(421);
  });

  test('[ID-3] a client is cut off when its gateway session ends, in the middle of a stream', async () => {
    const own = await McpTestClient.open(gateway);
    const stream = await own.get();
    expect(stream.status).toBe(200);
    const params = { name: 'fix/hang', arguments: {} };
    const hanging = own.post({ jsonrpc: '2.0', id: 'h', method: 'tools/call', params }).then(
      async (response) => response.text(),
      () => '',
    );
    const ended = (async () => {
      for await (const _message of messagesOf(stream));
    })().catch(() => {});
    await fetch(`${gateway.urls.api}/session`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${own.token}` },
    });
    await ended;
    expect(await hanging).not.toContain('result');
    expect((await own.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(401);
  });
});

test('a client that is done is forgotten', async () => {
  const own = await McpTestClient.open(gateway);
  const removed = await fetch(own.url, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${own.token}`, 'mcp-session-id': own.session ?? '' },
  });
  expect(removed.status).toBe(204);
  expect((await own.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
});

test('a stream that broke off is taken up where it was', async () => {
  const own = await McpTestClient.open(gateway, '/mcp/fix');
  const left = new AbortController();
  const params = { name: 'test_tool_with_logging', arguments: {} };
  const response = await own.post(
    { jsonrpc: '2.0', id: 'a', method: 'tools/call', params },
    { signal: left.signal },
  );
  let lastId = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    lastId = /^id: (\S+)/m.exec(decoder.decode(chunk))?.[1] ?? '';
    if (lastId !== '') break;
  }
  left.abort();
  expect(lastId).toMatch(/^s\d+-\d+$/);
  const heard: unknown[] = [];
  for await (const message of messagesOf(await own.get({ 'last-event-id': lastId }))) {
    heard.push(message.result ?? message.method);
    if (message.id === 'a') break;
  }
  expect(heard.at(-1)).toMatchObject({ content: [{ text: 'Tool with logging executed successfully' }] });
});
