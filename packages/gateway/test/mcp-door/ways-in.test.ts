import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { type TestGateway, tempDir } from '@sallyport/testkit';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { pendingQuestion } from './decide.ts';
import { startDoor } from './door-fixture.ts';
import { McpTestClient, textOf } from './mcp-client.ts';

let gateway: TestGateway;
afterEach(() => gateway.close());

test('files of a volume are tools of the door, and stay inside it', async () => {
  const folder = await tempDir();
  onTestFinished(() => folder.remove());
  const files = join(folder.path, 'files');
  await mkdir(files);
  await writeFile(join(folder.path, 'outside.txt'), 'not yours');
  gateway = await startDoor({
    more: `volumes: [{ name: work, mount: /workspace, path: ${JSON.stringify(files)} }]`,
  });
  const client = await McpTestClient.open(gateway);
  expect(await client.names()).toEqual(
    expect.arrayContaining(['fs.read', 'fs.write', 'fs.list', 'wait_for_approval']),
  );
  const written = await client.call('fs.write', { path: '/workspace/a.txt', content: 'hello' });
  expect(written.isError, JSON.stringify(written)).toBeUndefined();
  expect(await readFile(join(files, 'a.txt'), 'utf8')).toBe('hello');
  expect(JSON.stringify(await client.call('fs.read', { path: '/workspace/a.txt' }))).toContain('hello');
  const traversal = await client.call('fs.read', { path: '/workspace/../outside.txt' });
  expect(traversal).toMatchObject({ isError: true, structuredContent: { code: 'PathTraversalAttempt' } });
  expect(JSON.stringify(traversal)).not.toContain('not yours');
});

test('a tool that the operator says only reads asks nobody in cautious mode; the others of its server do', async () => {
  gateway = await startDoor({ exceptions: [], more: '    reads: ["echo", "test_simple_*"]' });
  const client = await McpTestClient.open(gateway);
  expect(textOf(await client.call('fix/echo', { message: 'a' }))).toBe('Echo: a');
  expect(textOf(await client.call('fix/test_simple_text'))).toContain('simple text');
  const left = new AbortController();
  const params = { name: 'fix/whoami', arguments: {} };
  const asked = client.post(
    { jsonrpc: '2.0', id: 'w', method: 'tools/call', params },
    { signal: left.signal },
  );
  expect((await pendingQuestion(gateway)).preview).toContain('mcp:fix/whoami');
  left.abort();
  await asked.catch(() => {});
});

test('in a jail the connection is the session: no token is needed, and another one is refused', async () => {
  gateway = await startDoor();
  const run = await openRun(gateway);
  onTestFinished(() => void run.response.destroy());
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const opened = await overSocket(run.socket, { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello });
  const session = String(opened.headers['mcp-session-id']);
  const call = { name: 'fix/echo', arguments: { message: 'a' } };
  const message = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call };
  const answered = await overSocket(run.socket, message, { 'mcp-session-id': session });
  expect(answered.text).toContain('Echo: a');
  const { session_token: foreign } = await gateway.openSession();
  const refused = await overSocket(run.socket, message, { authorization: `Bearer ${foreign}` });
  expect(refused.status).toBe(401);
  expect(refused.headers['www-authenticate']).toBe('Bearer realm="sallyport"');
  // A jail has its session, and asks people for no other [AP-2].
  const metadata = { redirect_uris: ['http://127.0.0.1:4711/'] };
  expect((await overSocket(run.socket, metadata, {}, '/oauth/register')).status).toBe(404);
  // Nobody outside the jail reaches it, whatever token they have.
  const stranger = new McpTestClient(gateway, foreign);
  stranger.session = session;
  expect((await stranger.post(message)).status).toBe(404);
});

async function openRun(from: TestGateway): Promise<{ response: IncomingMessage; socket: string }> {
  const body = JSON.stringify({ confinement: 'jailed' });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(
      `${from.urls.operator}/v1/runs`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          authorization: `Bearer ${from.operatorToken}`,
        },
      },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
  response.setEncoding('utf8');
  response.on('error', () => {});
  let text = '';
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  const { sockets } = JSON.parse(text.split('\n', 1)[0] ?? '') as { sockets: { api: string } };
  return { response, socket: sockets.api };
}

interface SocketAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

function overSocket(
  socketPath: string,
  message: object,
  headers: Record<string, string> = {},
  path = '/mcp',
): Promise<SocketAnswer> {
  const body = JSON.stringify(message);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        socketPath,
        path,
        method: 'POST',
        agent: false,
        headers: {
          host: 'localhost',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      async (response) => {
        let text = '';
        response.setEncoding('utf8');
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
