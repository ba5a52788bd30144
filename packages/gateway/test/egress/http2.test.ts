import { writeFile } from 'node:fs/promises';
import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { join } from 'node:path';
import {
  createTestCa,
  listenOnFreePort,
  startHttpsUpstream,
  type TempDir,
  type TestCa,
  tempDir,
  waitUntil,
} from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Egress, EgressLimits, NetworkConfig } from '../../src/egress/index.ts';
import { ask, get, openEgress, send, settled } from './egress-fixture.ts';

let ca: TestCa;
let home: TempDir;
beforeAll(async () => {
  [ca, home] = await Promise.all([createTestCa(), tempDir()]);
  await writeFile(join(home.path, 'corp.pem'), ca.cert);
});
afterAll(() => home.remove());

const config: NetworkConfig = {
  network: { allow_private: ['127.0.0.1'], ca_files: ['corp.pem'] },
  tenants: { default: {}, other: {} },
};
const open = (limits: Partial<EgressLimits> = {}): Egress & AsyncDisposable =>
  openEgress({ config: () => config, folder: home.path, limits });

interface H2Upstream extends AsyncDisposable {
  readonly port: number;
  readonly sessions: ServerHttp2Session[];
  readonly heads: Readonly<Record<string, unknown>>[];
}

async function h2Upstream(
  onStream: (stream: ServerHttp2Stream, path: string) => void,
  settings: { readonly maxConcurrentStreams?: number } = {},
): Promise<H2Upstream> {
  const sessions: ServerHttp2Session[] = [];
  const heads: Readonly<Record<string, unknown>>[] = [];
  const server: Http2SecureServer = createSecureServer({
    ...(await ca.issue(['api.example.com'])),
    settings,
  });
  server.on('session', (session) => void sessions.push(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    heads.push(headers);
    // `as`: the streams of a server are such
    onStream(stream as ServerHttp2Stream, String(headers[':path']));
  });
  const port = await listenOnFreePort(server);
  return {
    port,
    sessions,
    heads,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
}

const secure = (port: number, more = {}) => get(port, { scheme: 'https', ...more });

describe('a host that speaks HTTP/2', () => {
  test('gets the request and answers with trailers, as gRPC does', async () => {
    await using upstream = await h2Upstream((stream) => {
      stream.on('data', () => {});
      stream.on('end', () => {
        stream.respond(
          { ':status': 200, 'content-type': 'application/grpc', 'x-a': ['1', '2'] },
          { waitForTrailers: true },
        );
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
        stream.end('answer');
      });
    });
    await using egress = open();
    const { ear, exchange } = send(
      egress,
      secure(upstream.port, {
        method: 'POST',
        target: '/svc/M',
        isStreamed: true,
        headers: [
          ['Content-Type', 'application/grpc'],
          ['X-B', '1'],
          ['X-B', '2'],
        ],
      }),
      { preferH2: true },
    );
    exchange.write(Buffer.from('abc'));
    exchange.end();
    const told = await ear.whole;
    expect(told).toMatchObject({ body: 'answer', trailers: [['grpc-status', '0']], error: undefined });
    expect(told.head?.headers).toEqual(
      expect.arrayContaining([
        ['x-a', '1'],
        ['x-a', '2'],
      ]),
    );
    expect(upstream.heads[0]).toMatchObject({
      ':authority': `api.example.com:${upstream.port}`,
      te: 'trailers',
      'x-b': '1, 2',
    });
    expect(upstream.heads[0]).not.toHaveProperty('content-length');
  });

  test('many requests share one connection, tenants do not', async () => {
    await using upstream = await h2Upstream((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
    });
    await using egress = open();
    const told = await Promise.all(
      Array.from({ length: 50 }, () => ask(egress, secure(upstream.port), true)),
    );
    expect(told.map(({ body }) => body)).toEqual(Array.from({ length: 50 }, () => 'ok'));
    expect(upstream.sessions).toHaveLength(1);
    await ask(egress, secure(upstream.port, { tenant: 'other' }), true);
    expect(upstream.sessions).toHaveLength(2);
  });

  test('what a connection carries is bounded: more open another, up to the most for a host, then wait', async () => {
    const held: ServerHttp2Stream[] = [];
    await using upstream = await h2Upstream((stream) => {
      held.push(stream);
    });
    await using egress = open({ streams: 2, perHost: 2 });
    const all = Array.from({ length: 6 }, () => ask(egress, secure(upstream.port), true));
    await waitUntil('four streams', () => held.length === 4);
    expect(upstream.sessions).toHaveLength(2);
    for (let answered = 0; answered < 6; answered++) {
      await waitUntil('a stream', () => held.length > 0);
      const stream = held.shift();
      stream?.respond({ ':status': 200 });
      stream?.end('ok');
    }
    expect((await Promise.all(all)).every(({ body }) => body === 'ok')).toBe(true);
    expect(upstream.sessions).toHaveLength(2);
  });

  test.each([
    { why: 'a reset before the answer', path: '/reset', says: 'INTERNAL_ERROR' },
    { why: 'a reset in the middle of it', path: '/middle', says: 'INTERNAL_ERROR' },
    { why: 'a connection that breaks', path: '/break', says: '' },
    { why: 'a flood of interim answers', path: '/flood', says: 'too many interim' },
    { why: 'a body that is shorter than it said', path: '/short', says: '' },
  ])('$why is told as broken, never as the end', async ({ path, says }) => {
    await using upstream = await h2Upstream((stream) => {
      if (path === '/reset') stream.close(2);
      if (path === '/flood') {
        for (let count = 0; count < 17; count++) stream.additionalHeaders({ ':status': 103 });
        stream.respond({ ':status': 200 });
        stream.end();
      }
      if (path === '/break') stream.session?.socket.destroy();
      if (path === '/middle') {
        stream.respond({ ':status': 200 });
        stream.write('part', () => setImmediate(() => stream.destroy(new Error('broken'))));
      }
      if (path === '/short') {
        stream.respond({ ':status': 200, 'content-length': 100 });
        stream.end('part');
      }
    });
    await using egress = open();
    const { ear } = send(egress, secure(upstream.port, { target: path }), { preferH2: true });
    const { error } = await ear.whole;
    expect(error).toMatchObject({ code: 'UpstreamBroken' });
    expect(error?.message).toContain(says);
    expect(ear.endings).toBe(1);
  });

  test('a request that the host did not look at is sent again, once', async () => {
    let refused = 0;
    await using upstream = await h2Upstream((stream, path) => {
      if (path === '/always' || refused++ === 0) stream.close(7);
      else {
        stream.respond({ ':status': 200 });
        stream.end('ok');
      }
    });
    await using egress = open();
    expect(await ask(egress, secure(upstream.port), true)).toMatchObject({ body: 'ok' });
    const never = await ask(egress, secure(upstream.port, { target: '/always' }), true);
    expect(never.error).toMatchObject({ code: 'UpstreamBroken' });
    expect(upstream.heads).toHaveLength(4);
  });

  test('a host that leaves gets no more requests on that connection, and its place is free', async () => {
    await using upstream = await h2Upstream((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
    });
    await using egress = open({ total: 2 });
    await ask(egress, secure(upstream.port), true);
    for (const leaving of [1, 2, 3]) {
      // This server says that it leaves, and never closes its side.
      upstream.sessions[leaving - 1]?.goaway();
      // Requests may cross the message on its way; each of them is answered all the same.
      for (let turn = 0; turn < 100 && upstream.sessions.length === leaving; turn++) {
        expect(await ask(egress, secure(upstream.port), true)).toMatchObject({
          body: 'ok',
          error: undefined,
        });
      }
      expect(upstream.sessions).toHaveLength(leaving + 1);
    }
  });

  test('one that is silent is given up, and one that is given up is reset', async () => {
    const streams: ServerHttp2Stream[] = [];
    await using upstream = await h2Upstream((stream) => void streams.push(stream));
    await using egress = open({ headMs: 150 });
    expect((await ask(egress, secure(upstream.port), true)).error).toMatchObject({ code: 'UpstreamTimeout' });
    const left = send(egress, secure(upstream.port), { preferH2: true });
    await waitUntil('two streams', () => streams.length === 2);
    left.exchange.abort();
    await waitUntil('the end of every stream', () => streams.every(({ destroyed }) => destroyed));
    expect(left.ear.endings).toBe(0);
  });

  test('a sink that is slow holds the host back', async () => {
    const pieces = 64;
    let written = 0;
    await using upstream = await h2Upstream((stream) => {
      stream.respond({ ':status': 200 });
      const more = (): void => {
        while (written < pieces) {
          written++;
          if (!stream.write(Buffer.alloc(262_144))) return void stream.once('drain', more);
        }
        stream.end();
      };
      more();
    });
    await using egress = open();
    const { ear, exchange } = send(egress, secure(upstream.port), { preferH2: true });
    const take = ear.onBody.bind(ear);
    let taking = false;
    ear.onBody = (chunk) => take(chunk) && taking;
    await ear.headed;
    await waitUntil('the first bytes', () => ear.bytes > 0);
    // What fits into the windows is on its way; the rest waits.
    expect(await settled(() => written)).toBeLessThan(pieces);
    taking = true;
    exchange.resume();
    expect((await ear.whole).error).toBeUndefined();
    expect(ear.bytes).toBe(pieces * 262_144);
  });

  test.each([
    { why: 'a line break in a value', headers: [['X-A', 'b\r\nX-C: d']] as const },
    { why: 'a second host', headers: [['Host', 'other.example.com']] as const },
    { why: 'a length', headers: [['Content-Length', '7']] as const },
    { why: 'a connection field', headers: [['Connection', 'close']] as const },
    { why: 'a pseudo field', headers: [[':authority', 'other.example.com']] as const },
  ])('[NE-5] a request that could be misread is not sent: $why', async ({ headers }) => {
    await using upstream = await h2Upstream((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
    });
    await using egress = open();
    const told = await ask(egress, secure(upstream.port, { headers: [...headers] }), true);
    expect(told.error).toMatchObject({ code: 'BadRequest' });
    expect(upstream.heads).toHaveLength(0);
  });
});

describe('a host that does not', () => {
  test('is asked over HTTP/1.1, and not asked for HTTP/2 again', async () => {
    await using upstream = await startHttpsUpstream({ ca, names: ['api.example.com'] });
    await using egress = open();
    for (let turn = 0; turn < 3; turn++) {
      expect(await ask(egress, secure(upstream.port), true)).toMatchObject({ body: '{"ok":true}' });
    }
    expect(upstream.requests).toHaveLength(3);
  });

  test('and one that refuses connections fails all who wait for it', async () => {
    await using upstream = await startHttpsUpstream({ ca, names: ['www.example.com'] });
    await using egress = open();
    const all = await Promise.all([1, 2, 3].map(() => ask(egress, secure(upstream.port), true)));
    for (const { error } of all) expect(error).toMatchObject({ code: 'UpstreamTlsFailed' });
  });
});
