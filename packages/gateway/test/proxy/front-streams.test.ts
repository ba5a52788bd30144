import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net';
import { closeServer, listenOnFreePort, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answers, type Front, openFront, statusOf, wireOn } from './front-fixture.ts';

let front: Front;
let upstream: Server;
let port = 0;
let digest = '';
let urls: string[] = [];

const MIB = Buffer.alloc(1_048_576, 'm');

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    urls.push(request.url ?? '');
    const hash = createHash('sha256');
    try {
      for await (const chunk of request) hash.update(chunk);
    } catch {
      return response.destroy();
    }
    digest = hash.digest('hex');
    if (request.url !== '/download') return response.end('ok');
    response.setHeader('content-length', String(40 * MIB.length));
    for (let count = 0; count < 40; count++) if (!response.write(MIB)) await once(response, 'drain');
    return response.end();
  });
  port = await listenOnFreePort(upstream);
  front = await openFront({ limits: { connectionsPerSession: 3 } });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await closeServer(upstream);
});
beforeEach(() => {
  front.trail.events.length = 0;
  urls = [];
});

const head = (line: string, fields: string): string => {
  const host = `api.example.com:${port}`;
  const [method, path] = line.split(' ');
  return `${method} http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n${fields}\r\n`;
};

describe('what needs no question', () => {
  test('is streamed up, its digest recorded at the end, nothing kept on disk', async () => {
    const wire = await front.dial();
    wire.send(head('PUT /up', `Content-Length: ${40 * MIB.length}\r\n`));
    const hash = createHash('sha256');
    for (let count = 0; count < 40; count++) {
      hash.update(MIB);
      if (!wire.socket.write(MIB)) await once(wire.socket, 'drain');
      expect(front.spooled()).toEqual([]);
    }
    expect(statusOf(await wire.until(answers(1)))).toBe(200);
    const sha256 = hash.digest('hex');
    expect(digest).toBe(sha256);
    expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([
      { request_bytes: 40 * MIB.length, request_sha256: sha256 },
    ]);
    wire.socket.destroy();
  });

  test('comes down no faster than the agent reads', async () => {
    const wire = await front.dial();
    let bytes = 0;
    wire.socket.removeAllListeners('data');
    wire.socket.pause();
    wire.send(head('GET /download', ''));
    // The agent does not read: what piles up is what sockets hold, far less than the answer.
    await waitUntil('the request at the host', () => urls.length > 0);
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(front.events('ProxyEvent::RequestAllowed')).toEqual([]);
    wire.socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    wire.socket.resume();
    await waitUntil('the request in the trail', () => front.events('ProxyEvent::RequestAllowed').length > 0);
    expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([{ response_bytes: 40 * MIB.length }]);
    await waitUntil('all bytes', () => bytes >= 40 * MIB.length);
    wire.socket.destroy();
  });

  test('is cut upstream when the agent leaves in the middle', async () => {
    const wire = await front.dial();
    wire.send(head('PUT /up', 'Content-Length: 10000000\r\n'));
    wire.send(MIB);
    await waitUntil('the request at the host', () => urls.length > 0);
    wire.socket.destroy();
    await waitUntil('the request in the trail', () => front.events('ProxyEvent::RequestAllowed').length > 0);
    expect(front.events('ProxyEvent::RequestAllowed')).toMatchObject([{ error: 'AgentLeft' }]);
  });
});

describe('connections', () => {
  test('[NE-8] a session has only so many', async () => {
    const wires = await Promise.all([1, 2, 3, 4].map(() => front.dial()));
    const statuses: number[] = [];
    for (const wire of wires) {
      wire.send(head('GET /', ''));
      statuses.push(statusOf(await wire.until(answers(1))));
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    for (const wire of wires) wire.socket.destroy();
  });

  test('that belong to a session by themselves need no token, and end with it', async () => {
    const { session } = await front.openSession();
    const own = createNetServer({ allowHalfOpen: true }, (socket) => front.door.accept(socket, { session }));
    own.listen(0, '127.0.0.1');
    await once(own, 'listening');
    const wire = wireOn(connect((own.address() as AddressInfo).port, '127.0.0.1'));
    wire.send(head('GET /', '').replace(/Proxy-Authorization.*\r\n/, ''));
    expect(statusOf(await wire.until(answers(1)))).toBe(200);
    await front.endSession(session.id);
    await wire.closed;
    own.close();
  });
});
