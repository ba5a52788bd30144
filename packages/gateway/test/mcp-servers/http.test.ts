import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnFreePort, waitUntil } from '@sallyport/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { codeOf, quietPeer, ServersFixture } from './servers-fixture.ts';

const KEY = 'tok-4f7Zq8Lw9RtX2pQ';

type Answer = (call: { id: number }, response: ServerResponse, request: IncomingMessage) => void;

/** A server over HTTP that does its handshake well, and answers calls as it is told. */
async function serve(onCall: Answer): Promise<{ url: string; seen: IncomingMessage[]; forget(): void }> {
  const seen: IncomingMessage[] = [];
  let isForgotten = false;
  const server = createServer(async (request, response) => {
    seen.push(request);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = JSON.parse(Buffer.concat(chunks).toString());
    const isHello = message.method === 'initialize';
    if (isHello) isForgotten = false;
    if (isForgotten) return void response.writeHead(404).end('gone');
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.method === 'tools/call') return onCall(message, response, request);
    const hello = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'h', version: '1' },
    };
    const tools = [{ name: 'echo', description: 'Echo', inputSchema: { type: 'object' } }];
    const result = isHello ? hello : { tools };
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(isHello ? { 'mcp-session-id': 's1' } : {}),
    });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => closeServer(server));
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    forget() {
      isForgotten = true;
    },
  };
}

const says = (text: string): Answer => {
  return ({ id }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }));
  };
};

test('[TO-9] a credential is a header of each request, and is taken out of what comes back', async () => {
  const server = await serve((call, response, request) =>
    says(`you are ${request.headers.authorization} ${request.headers['x-team']}`)(call, response, request),
  );
  const credentials = { Authorization: 'env:TOKEN', 'X-Team': 'env:TEAM' };
  const env = { TOKEN: KEY, TEAM: 'team-number-7' };
  await using fixture = await ServersFixture.open([{ name: 'far', url: server.url, credentials }], { env });
  await fixture.status('far', 'Running');
  expect(await fixture.says('mcp:far/echo')).toBe(`you are Bearer ${'*'.repeat(KEY.length)} *************`);
  const posts = server.seen.filter(({ method }) => method === 'POST');
  expect(posts.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  expect(posts.at(-1)?.headers).toMatchObject({
    'mcp-session-id': 's1',
    'mcp-protocol-version': '2025-06-18',
  });
});

test.each([
  ['as it is', (text: string) => text, 'application/json'],
  ['as an event', (text: string) => `data: ${text}\n\n`, 'text/event-stream'],
] as const)(
  '[TO-9] an answer %s that is nested too deeply is an error, and no fault of ours',
  async (_how, written, type) => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const server = await serve(({ id }, response) => {
      const text = `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${deep}}}}`;
      response.writeHead(200, { 'content-type': type }).end(written(text));
    });
    await using fixture = await ServersFixture.open([{ name: 'far', url: server.url }]);
    await fixture.status('far', 'Running');
    const failure = await fixture.calls('mcp:far/echo').then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: -32_603, message: 'the answer is nested too deeply' });
  },
);

test.each<{ why: string; onCall: Answer }>([
  {
    why: 'one answer without end',
    onCall: ({ id }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
      pour(response, 'x'.repeat(65_536));
    },
  },
  {
    why: 'one event without end',
    onCall: (_call, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: ');
      pour(response, 'x'.repeat(65_536));
    },
  },
])('[TO-9] $why takes no more memory than one message may', async ({ onCall }) => {
  const server = await serve(onCall);
  await using fixture = await ServersFixture.open([{ name: 'far', url: server.url }], {
    limits: { messageBytes: 1024 ** 2 },
  });
  await fixture.status('far', 'Running');
  const call = fixture.calls('mcp:far/echo', {}, { peer: quietPeer('p1') });
  expect(await codeOf(call)).toBe('OutputSizeLimitExceeded');
});

test('a session that the server has forgotten is opened anew', async () => {
  const server = await serve(says('hi'));
  await using fixture = await ServersFixture.open([{ name: 'far', url: server.url }]);
  const peer = quietPeer('p1');
  expect(await fixture.says('mcp:far/echo', {}, { peer })).toBe('hi');
  server.forget();
  expect(await codeOf(fixture.calls('mcp:far/echo', {}, { peer }))).toBe('ToolServerUnavailable');
  expect(await fixture.says('mcp:far/echo', {}, { peer })).toBe('hi');
});

test('an answer that quotes anything at all is not repeated in the error', async () => {
  const server = await serve((_call, response) =>
    response.writeHead(500).end('<script>secret of the server'),
  );
  await using fixture = await ServersFixture.open([{ name: 'far', url: server.url }]);
  await expect(fixture.calls('mcp:far/echo')).rejects.toThrow(
    'the tool server `far` is gone: it answered with HTTP 500',
  );
});

test('an address that is closed is not dialled, and a redirect to another origin is not followed', async () => {
  const inner = await serve(says('inner'));
  const outer = createServer((_request, response) => response.writeHead(307, { location: inner.url }).end());
  const port = await listenOnFreePort(outer);
  onTestFinished(() => closeServer(outer));
  await using fixture = await ServersFixture.open(
    [
      { name: 'closed', url: 'http://[::1]:9/mcp' },
      { name: 'moved', url: `http://127.0.0.1:${port}/mcp` },
    ],
    { limits: { failures: 1 } },
  );
  for (const name of ['closed', 'moved']) await fixture.status(name, 'Failed');
  expect(fixture.servers.get('closed')?.lastError).toContain('closed');
  expect(inner.seen).toEqual([]);
  await waitUntil('the failure in the trail', () => fixture.typesOf().includes('MCPServerEvent::Failed'));
});

function pour(response: ServerResponse, piece: string): void {
  while (response.write(piece) && !response.destroyed);
  if (!response.destroyed) response.once('drain', () => pour(response, piece));
}
