import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import { createTestCa, listenOnFreePort, type TempDir, tempDir, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answers, errorOf, type Front, openFront, statusOf, wireOn } from './front-fixture.ts';

let dir: TempDir;
let front: Front;
let upstream: ReturnType<typeof createServer>;
let port = 0;
let pinned: NetServer;
let pinnedPort = 0;
let upstreamCa = '';
const urls: string[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  dir = await tempDir();
  const ca = await createTestCa();
  const caFile = join(dir.path, 'upstream-ca.pem');
  upstreamCa = ca.cert;
  writeFileSync(caFile, ca.cert);
  upstream = createServer(await ca.issue(['api.example.com', 'tun.example']), (request, response) => {
    urls.push(`${request.method} ${request.url} ${request.headers.host}`);
    response.end('inside');
  });
  upstream.on('upgrade', (request, socket) => {
    urls.push(`UPGRADE ${request.url}`);
    socket.on('error', () => {});
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\nwelcome',
    );
    socket.on('data', (chunk: Buffer) => socket.write(chunk));
  });
  port = await listenOnFreePort(upstream);
  pinned = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => socket.write(Buffer.concat([Buffer.from('echo '), chunk])));
  });
  pinnedPort = await listenOnFreePort(pinned);
  front = await openFront({
    caFile,
    config: { network: { tunnel: ['pinned.example', 'tun.example'] } },
  });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  for (const socket of sockets) socket.destroy();
  upstream.closeAllConnections();
  upstream.close();
  pinned.close();
  await dir.remove();
});
beforeEach(() => {
  urls.length = 0;
  front.lookups.length = 0;
  front.trail.events.length = 0;
  front.questions.length = 0;
  front.people = 'wait';
});

const get = (path: string, host = `api.example.com:${port}`, fields = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n`;

async function inside(socket: TLSSocket, bytes: string): Promise<string> {
  const wire = wireOn(socket);
  wire.send(bytes);
  return wire.until(answers(1));
}

describe('inside CONNECT', () => {
  test('TLS is opened here, requests are read, and each is judged', async () => {
    const socket = await front.tunnel(`api.example.com:${port}`);
    const wire = wireOn(socket);
    wire.send(get('/1') + get('/2'));
    await wire.until(answers(2));
    expect(urls).toEqual([`GET /1 api.example.com:${port}`, `GET /2 api.example.com:${port}`]);
    expect(front.events('ActionEvent::Judged')).toHaveLength(2);
    expect(front.events('ProxyEvent::RequestAllowed')).toHaveLength(2);
    socket.destroy();
  });

  test('[NE-1] CONNECT alone looks nothing up and dials nothing', async () => {
    const socket = await front.tunnel('never.example:443');
    expect(front.lookups).toEqual([]);
    socket.destroy();
  });

  test('plain HTTP inside CONNECT is read as such', async () => {
    const wire = await front.dial();
    const host = `api.example.com:${port}`;
    wire.send(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n\r\n`);
    await wire.until((text) => text.includes('\r\n\r\n'));
    const before = wire.text().length;
    wire.send(get('/plain'));
    // The upstream speaks TLS: what matters is that a plain request went there, and was judged as one.
    await wire.until((text) => answers(1)(text.slice(before)));
    expect(front.events('ActionEvent::Judged')).toMatchObject([
      { target: { scheme: 'http', path: '/plain' } },
    ]);
    wire.socket.destroy();
  });

  test('bytes sent before the answer to CONNECT are not lost', async () => {
    const wire = await front.dial();
    const host = `api.example.com:${port}`;
    wire.send(
      `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n\r\n${get('/early', 'evil.example')}`,
    );
    await wire.until((text) => text.includes('421'));
    expect(front.events('ProxyEvent::RequestBlocked')).toMatchObject([{ code: 'HostMismatch' }]);
  });

  test.each([
    ['another host', () => get('/', 'evil.example')],
    ['another port', () => get('/', 'api.example.com:1')],
    ['absolute form of another host', () => get('http://evil.example/', 'evil.example')],
    ['absolute form of another scheme', () => get(`http://api.example.com:${port}/`)],
  ])('[NE-4] %s in the request is refused: domain fronting', async (_what, bytes) => {
    const socket = await front.tunnel(`api.example.com:${port}`);
    const text = await inside(socket, bytes());
    expect(statusOf(text)).toBe(421);
    expect(errorOf(text)).toMatchObject({ code: 'HostMismatch' });
    expect(urls).toEqual([]);
    expect(front.lookups).toEqual([]);
    expect(front.events('ProxyEvent::RequestBlocked')).toHaveLength(1);
    socket.destroy();
  });

  test('[NE-4] another name in the TLS handshake is refused', async () => {
    await expect(front.tunnel(`api.example.com:${port}`, { sni: 'evil.example' })).rejects.toThrow();
    expect(front.events('ProxyEvent::RequestBlocked')).toMatchObject([{ reason: 'sni-mismatch' }]);
    expect(front.lookups).toEqual([]);
  });

  test('a second CONNECT inside is refused', async () => {
    const socket = await front.tunnel(`api.example.com:${port}`);
    const text = await inside(socket, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n');
    expect(statusOf(text)).toBe(400);
    socket.destroy();
  });

  test('port 22 belongs to another door', async () => {
    const wire = await front.dial();
    wire.send(
      `CONNECT git.example:22 HTTP/1.1\r\nHost: git.example:22\r\nProxy-Authorization: ${front.auth}\r\n\r\n`,
    );
    expect(statusOf(await wire.until(answers(1)))).toBe(403);
    wire.socket.destroy();
  });

  test('[ID-3] a revoked session ends what is inside too', async () => {
    const other = await front.openSession();
    const wire = await front.dial();
    const host = `api.example.com:${port}`;
    wire.send(
      `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: Bearer ${other.token.reveal()}\r\n\r\n`,
    );
    await wire.until((text) => text.includes('\r\n\r\n'));
    wire.socket.removeAllListeners('data');
    const socket = tlsConnect({ socket: wire.socket, servername: 'api.example.com', ca: front.ca });
    await once(socket, 'secureConnect');
    await inside(socket, get('/1'));
    const closed = once(wire.socket, 'close');
    await front.endSession(other.session.id);
    await closed;
  });
});

describe('a WebSocket', () => {
  const upgrade = (): string =>
    get('/ws', undefined, 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n');

  test('[NE-9] is judged as a write, and bytes go both ways after the verdict', async () => {
    const socket = await front.tunnel(`api.example.com:${port}`);
    const wire = wireOn(socket);
    wire.send(upgrade());
    const text = await wire.until((all) => all.endsWith('welcome'));
    expect(statusOf(text)).toBe(101);
    expect(text).toMatch(/sec-websocket-accept: x/i);
    wire.send('ping');
    await wire.until((all) => all.endsWith('welcomeping'));
    expect(front.events('ActionEvent::Judged')).toMatchObject([
      { effect: 'write', target: { scheme: 'wss', path: '/ws' } },
    ]);
    socket.destroy();
  });
});

describe('a tunnel', () => {
  const connect = (): string => {
    const host = `pinned.example:${pinnedPort}`;
    return `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n\r\n`;
  };

  test('tunnel passes TLS through unopened, judged as a write, and lends nothing', async () => {
    const wire = await front.dial();
    wire.send(connect());
    await wire.until((text) => text.endsWith('\r\n\r\n'));
    wire.send('anything');
    await wire.until((text) => text.endsWith('echo anything'));
    expect(front.events('ActionEvent::Judged')).toMatchObject([
      { effect: 'write', target: { scheme: 'tunnel', host: 'pinned.example' } },
    ]);
    wire.socket.destroy();
  });

  const inTunnel = async (servername: string): Promise<TLSSocket> => {
    const wire = await front.dial();
    const host = `tun.example:${port}`;
    wire.send(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n\r\n`);
    await wire.until((text) => text.endsWith('\r\n\r\n'));
    wire.socket.removeAllListeners('data');
    const socket = tlsConnect({ socket: wire.socket, servername, ca: upstreamCa });
    await once(socket, 'secureConnect');
    return socket;
  };

  test('is end to end: the agent sees the certificate of the host itself', async () => {
    const socket = await inTunnel('tun.example');
    expect(await inside(socket, get('/pinned', 'tun.example'))).toContain('inside');
    expect(urls).toEqual(['GET /pinned tun.example']);
    socket.destroy();
  });

  test('[NE-4] another name in its handshake cuts it', async () => {
    await expect(inTunnel('api.example.com')).rejects.toThrow();
    const isTold = (): boolean =>
      front.events('ProxyEvent::RequestAllowed').some(({ error }) => error === 'HostMismatch');
    await waitUntil('the mismatch in the trail', isTold);
    expect(urls).toEqual([]);
  });
});
