import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import {
  type ClientHttp2Session,
  connect,
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { createTestCa, listenOnFreePort, type TempDir, tempDir } from '@sallyport/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Front, openFront, wireOn } from '../proxy/front-fixture.ts';

vi.setConfig({ testTimeout: 10_000 });

let dir: TempDir;
let front: Front;
let raw: TlsServer;
let rawPort = 0;
let h2: Http2SecureServer;
let h2Port = 0;
let plain: NetServer;
let plainPort = 0;
/** what the HTTP/1.1 servers answer, byte by byte */
let answer = '';
/** what the HTTP/2 server does */
let act: (stream: ServerHttp2Stream) => void = () => {};
const got: string[] = [];
const sockets = new Set<Socket>();
const open = new Set<ClientHttp2Session>();
const crashes: unknown[] = [];
const onCrash = (error: unknown): void => void crashes.push(error);

beforeAll(async () => {
  dir = await tempDir();
  const ca = await createTestCa();
  writeFileSync(join(dir.path, 'ca.pem'), ca.cert);
  const material = await ca.issue(['api.example.com']);
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      got.push(chunk.toString('latin1'));
      if (got.join('').includes('\r\n\r\n')) socket.write(answer, 'latin1');
    });
  };
  raw = createTlsServer({ ...material, ALPNProtocols: ['http/1.1'] }, serve);
  plain = createNetServer(serve);
  h2 = createSecureServer(material);
  h2.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {});
    act(stream);
  });
  rawPort = await listenOnFreePort(raw);
  plainPort = await listenOnFreePort(plain);
  h2Port = await listenOnFreePort(h2);
  front = await openFront({ caFile: join(dir.path, 'ca.pem') });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  for (const socket of sockets) socket.destroy();
  raw.close();
  plain.close();
  h2.close();
  await dir.remove();
});
beforeEach(() => {
  got.length = 0;
  crashes.length = 0;
  front.trail.events.length = 0;
  // What nobody catches would end the whole gateway.
  process.prependListener('uncaughtException', onCrash);
});
afterEach(() => {
  process.off('uncaughtException', onCrash);
  for (const session of open) session.destroy();
  open.clear();
});

async function client(port: number): Promise<ClientHttp2Session> {
  const socket = await front.tunnel(`api.example.com:${port}`, { alpn: ['h2'] });
  const session = connect(`https://api.example.com:${port}`, { createConnection: () => socket });
  session.on('error', () => {});
  open.add(session);
  return session;
}

async function ask(port: number, headers: Record<string, string> = {}): Promise<number> {
  const stream = (await client(port)).request({ ':path': '/', te: 'trailers', ...headers });
  let status = 0;
  stream.on('response', (given) => {
    status = Number(given[':status']);
  });
  stream.on('error', () => {});
  stream.resume();
  await new Promise((resolve) => stream.on('close', resolve));
  return status;
}

describe('[NE-8] a hostile server cannot end the gateway', () => {
  test('with trailers that HTTP/2 cannot carry', async () => {
    answer = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nETag: a\r\nETag: b\r\n\r\n';
    await ask(rawPort);
    expect(crashes).toEqual([]);
    expect(front.events('ProxyEvent::RequestAllowed')).toHaveLength(1);
  });

  test('with headers of names that every object has', async () => {
    answer = 'HTTP/1.1 200 OK\r\n__proto__: a\r\nConstructor: b\r\nContent-Length: 0\r\n\r\n';
    expect(await ask(rawPort)).toBe(200);
    expect(crashes).toEqual([]);
  });

  test('with an interim answer that HTTP/2 cannot carry', async () => {
    answer =
      'HTTP/1.1 103 Early Hints\r\nETag: a\r\nETag: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
    expect(await ask(rawPort)).toBe(200);
    expect(crashes).toEqual([]);
  });

  test('with trailers over HTTP/2 that HTTP/1.1 does not take', async () => {
    act = (stream) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'content-type': 'a/b', 'set-cookie': 'a=b' }));
      stream.end('x');
    };
    expect(await ask(h2Port)).toBe(200);
    expect(crashes).toEqual([]);
  });
});

describe('trailers of the agent', () => {
  test('[CR-3] carry no credential of its own over HTTP/2', async () => {
    answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
    const session = await client(rawPort);
    const stream = session.request(
      { ':path': '/', ':method': 'POST' },
      { endStream: false, waitForTrailers: true },
    );
    stream.on('error', () => {});
    stream.on('wantTrailers', () =>
      stream.sendTrailers({ authorization: 'Bearer agents-own', 'x-checksum': '1' }),
    );
    stream.end('body');
    stream.resume();
    await once(stream, 'close');
    expect(got.join('')).not.toContain('agents-own');
  });

  test.each(['X-Auth-Token', 'X_Api_Key', 'Private-Token', 'DD-API-KEY'])(
    '[CR-3] carry no %s over HTTP/1.1',
    async (name) => {
      answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
      const wire = wireOn((await front.dial()).socket);
      const host = `api.example.com:${plainPort}`;
      wire.send(
        `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n${name}: agents-own\r\n\r\n`,
      );
      await wire.until((text) => text.includes('\r\n\r\n'));
      wire.socket.destroy();
      expect(got.join('')).not.toContain('agents-own');
    },
  );
});
