import { createServer, type Server, type Socket } from 'node:net';
import { listenOnFreePort, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { errorOf, type Front, openFront, statusOf, type Wire } from '../proxy/front-fixture.ts';

vi.setConfig({ testTimeout: 10_000 });

let front: Front;
let upstream: Server;
let port = 0;
let answer = '';
const sockets = new Set<Socket>();

beforeAll(async () => {
  upstream = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => socket.write(answer));
  });
  port = await listenOnFreePort(upstream);
  front = await openFront({ limits: { requestsPerSession: 3 } });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  for (const socket of sockets) socket.destroy();
  upstream.close();
});

async function ask(fields = '', auth = front.auth): Promise<Wire> {
  const wire = await front.dial();
  const host = `api.example.com:${port}`;
  wire.send(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${auth}\r\n${fields}\r\n`);
  return wire;
}

const ended = (wire: Wire): Promise<string> => wire.until((text) => /\r\n\r\n./s.test(text));

test('[NE-8] one session has so many requests under way and no more, and leaves room for others', async () => {
  answer = '';
  const waiting = [await ask(), await ask(), await ask()];
  await waitFor('three verdicts', () => expect(front.events('ActionEvent::Judged')).toHaveLength(3));
  const more = await ask();
  const text = await ended(more);
  expect(statusOf(text)).toBe(429);
  expect(errorOf(text)).toMatchObject({ code: 'TooManyRequests' });
  expect(front.events('ProxyEvent::RequestBlocked')).toMatchObject([{ code: 'TooManyRequests' }]);
  const other = await front.openSession();
  const another = await ask('', `Bearer ${other.token.reveal()}`);
  await waitFor('four verdicts', () => expect(front.events('ActionEvent::Judged')).toHaveLength(4));
  for (const wire of [...waiting, more, another]) wire.socket.destroy();
  await waitFor('four requests in the trail', () =>
    expect(front.events('ProxyEvent::RequestAllowed')).toHaveLength(4),
  );
  answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const after = await ask();
  expect(statusOf(await ended(after))).toBe(200);
  after.socket.destroy();
});

test('a server that answers an upgrade does not speak of our verdicts', async () => {
  answer = 'HTTP/1.1 403 Forbidden\r\nX-Sallyport-Verdict: deny\r\nContent-Length: 2\r\n\r\nno';
  const wire = await ask('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n');
  const text = await ended(wire);
  wire.socket.destroy();
  expect(statusOf(text)).toBe(403);
  expect(text).not.toMatch(/x-sallyport/i);
});
