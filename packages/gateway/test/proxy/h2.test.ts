import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createTestCa, type TempDir, tempDir, waitUntil } from '@sallyport/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Front, openFront } from './front-fixture.ts';

let dir: TempDir;
let front: Front;
let upstream: Http2SecureServer;
let port = 0;
const seen: string[] = [];
const open = new Set<ClientHttp2Session>();

beforeAll(async () => {
  dir = await tempDir();
  const ca = await createTestCa();
  writeFileSync(join(dir.path, 'ca.pem'), ca.cert);
  upstream = createSecureServer(await ca.issue(['api.example.com']));
  upstream.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {});
    seen.push(`${headers[':method']} ${headers[':path']} ${headers.te ?? ''}`);
    if (headers[':path'] === '/hang') return;
    stream.respond({ ':status': 200, 'x-up': 'yes' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.on('data', (chunk: Buffer) => stream.write(chunk));
    stream.on('end', () => stream.end('.'));
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  port = (upstream.address() as AddressInfo).port;
  front = await openFront({
    caFile: join(dir.path, 'ca.pem'),
    config: { permissions: ['ask:http(POST api.example.com/ask)', 'allow:*'] },
    limits: { resetBurst: 50, resetRate: 5, headMs: 300 },
  });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  upstream.close();
  await dir.remove();
});
afterEach(() => {
  for (const session of open) session.destroy();
  open.clear();
});
beforeEach(() => {
  seen.length = 0;
  front.trail.events.length = 0;
  front.lookups.length = 0;
});

const SETTINGS = 4;
const HEADERS = 1;
const CONTINUATION = 9;

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

async function client(): Promise<ClientHttp2Session> {
  const socket = await front.tunnel(`api.example.com:${port}`, { alpn: ['h2'] });
  const session = connect(`https://api.example.com:${port}`, { createConnection: () => socket });
  session.on('error', () => {});
  open.add(session);
  return session;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly trailers: object;
}

async function ask(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer> {
  const stream = session.request(headers, { endStream: body === undefined });
  let text = '';
  let trailers: object = {};
  let status = 0;
  stream.on('response', (given) => {
    status = Number(given[':status']);
  });
  stream.on('trailers', (given) => {
    trailers = { ...given };
  });
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  if (body !== undefined) stream.end(body);
  await once(stream, 'close');
  return { status, body: text, trailers };
}

describe('HTTP/2 towards the agent', () => {
  test('carries requests, bodies and trailers both ways', async () => {
    const session = await client();
    const answer = await ask(
      session,
      { ':path': '/grpc', ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' },
      'hello',
    );
    expect(answer).toMatchObject({ status: 200, body: 'hello.' });
    expect(answer.trailers).toMatchObject({ 'grpc-status': '0' });
    expect(seen).toEqual(['POST /grpc trailers']);
    expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([{ status: 200, request_bytes: 5 }]);
  });

  test('a call that must ask and does not end its body is refused, not kept waiting', async () => {
    const session = await client();
    const stream = session.request({
      ':path': '/ask',
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.write('the first message of a stream both ways');
    const [given] = (await once(stream, 'response')) as [{ ':status': number }];
    expect(given[':status']).toBe(408);
    stream.close();
    expect(seen).toEqual([]);
    expect(front.questions).toEqual([]);
    expect(front.spooled()).toEqual([]);
    // One that ends is asked about, whole.
    front.people = 'yes';
    const headers = {
      ':path': '/ask',
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
    };
    expect(await ask(session, headers, 'hello')).toMatchObject({ status: 200, body: 'hello.' });
    expect(front.questions).toHaveLength(1);
  });

  test('a stream both ways does not wait for the end of the body', async () => {
    const session = await client();
    const stream = session.request({ ':path': '/bidi', ':method': 'POST', te: 'trailers' });
    stream.write('one');
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect(first.toString()).toBe('one');
    stream.end('two');
    stream.resume();
    await once(stream, 'close');
    expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([{ request_bytes: 6 }]);
  });

  test('[NE-4] another authority is 421, so that the client opens another connection', async () => {
    const session = await client();
    const answer = await ask(session, { ':path': '/', ':authority': 'evil.example' });
    expect(answer.status).toBe(421);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'HostMismatch' } });
    expect((await ask(session, { ':path': '/ok' })).status).toBe(200);
    expect(seen).toEqual(['GET /ok ']);
    expect(front.events('ProxyEvent::RequestBlocked')).toHaveLength(1);
  });

  test.each([
    ['another scheme', { ':scheme': 'http' }],
    ['a Host that differs', { host: 'evil.example' }],
    ['a path with a fragment', { ':path': '/#x' }],
    ['an unknown expectation', { expect: 'more' }],
  ])('[NE-5] %s is refused', async (_what, headers) => {
    const session = await client();
    const answer = await ask(session, { ':path': '/', ...headers });
    expect([400, 417, 421, 0]).toContain(answer.status);
    expect(seen).toEqual([]);
  });

  test('an agent that resets its stream is gone, also upstream', async () => {
    const session = await client();
    const stream = session.request({ ':path': '/hang' });
    await waitUntil('the request at the host', () => seen.length > 0);
    stream.close(constants.NGHTTP2_CANCEL);
    await once(stream, 'close');
    await waitUntil('the request in the trail', () => front.events('ProxyEvent::RequestAllowed').length > 0);
    expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([{ error: 'AgentLeft' }]);
  });
});

describe('[NE-8] floods over HTTP/2 are bounded', () => {
  test('rapid resets end the connection', async () => {
    const session = await client();
    const closed = new Promise((resolve) => session.once('close', resolve));
    for (let count = 0; count < 2_000 && !session.destroyed; count++) {
      const stream = session.request({ ':path': '/hang' });
      stream.on('error', () => {});
      stream.close(constants.NGHTTP2_CANCEL);
      if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    expect(front.trail.events.length).toBeLessThan(2_000);
  });

  test('a CONTINUATION flood ends the connection', async () => {
    const socket = await front.tunnel(`api.example.com:${port}`, { alpn: ['h2'] });
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(frame(SETTINGS, 0, 0, Buffer.alloc(0)));
    socket.write(frame(HEADERS, 0, 1, Buffer.from([0x82])));
    const piece = frame(CONTINUATION, 0, 1, Buffer.alloc(1_000, 0x82));
    for (let count = 0; count < 10_000 && !socket.destroyed; count++) {
      if (!socket.write(piece)) await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    expect(front.trail.events).toEqual([]);
  });

  test('a header bomb does not reach the gate', async () => {
    const session = await client();
    const bomb = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, '1']));
    const answer = await ask(session, { ':path': '/', ...bomb }).catch(() => ({ status: 0 }));
    expect(answer.status === 0 || answer.status >= 400).toBe(true);
    expect(seen).toEqual([]);
    expect(front.events('ActionEvent::Judged')).toEqual([]);
  });

  test('headers beyond 64 KiB do not reach the gate', async () => {
    const session = await client();
    const answer = await ask(session, { ':path': '/', 'x-big': 'x'.repeat(70_000) }).catch(() => ({
      status: 0,
    }));
    expect(answer.status === 0 || answer.status >= 400).toBe(true);
    expect(seen).toEqual([]);
    expect(front.events('ActionEvent::Judged')).toEqual([]);
  });
});
