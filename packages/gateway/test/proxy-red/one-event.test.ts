import { createServer, type Server, type Socket } from 'node:net';
import { listenOnFreePort, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Front, openFront, statusOf, type Wire } from '../proxy/front-fixture.ts';

vi.setConfig({ testTimeout: 10_000 });

let front: Front;
let upstream: Server;
let port = 0;
/** what the server says to anything, byte by byte */
let answer = '';
const sockets = new Set<Socket>();

beforeAll(async () => {
  upstream = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', () => socket.write(answer));
  });
  port = await listenOnFreePort(upstream);
  front = await openFront();
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  for (const socket of sockets) socket.destroy();
  upstream.close();
});
beforeEach(() => {
  front.trail.events.length = 0;
  front.people = 'wait';
});

const head = (method: string, fields: string): string =>
  `${method} http://api.example.com:${port}/ HTTP/1.1\r\nHost: api.example.com:${port}\r\nProxy-Authorization: ${front.auth}\r\n${fields}\r\n`;

/** Resolves when the door has looked at the clock once more: a head that was too slow is answered. */
async function nextLook(ms: number): Promise<void> {
  const slow = await front.dial();
  slow.send('GET http');
  // Its first byte must have come before the clock goes on.
  const probe = await front.dial();
  probe.send('bad\r\n\r\n');
  await probe.until((text) => statusOf(text) === 400);
  front.clock.advance(ms);
  await slow.until((text) => statusOf(text) === 408);
  for (const wire of [slow, probe]) wire.socket.destroy();
}

describe('[TR-4] each request is in the trail once', () => {
  test('a WebSocket that stays open is not taken for a slow head', async () => {
    answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const wire = await front.dial();
    wire.send(head('GET', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'));
    await wire.until((text) => statusOf(text) === 101);
    front.trail.events.length = 0;
    await nextLook(20_000);
    await nextLook(20_000);
    const about = front.events('ProxyEvent::RequestBlocked').filter(({ reason }) => reason === 'slow-head');
    // The two that were slow, and nothing else.
    expect(about).toHaveLength(2);
    wire.socket.destroy();
    await waitFor('the request in the trail', () =>
      expect(front.events('ProxyEvent::RequestAllowed')).toHaveLength(1),
    );
  });

  test.each([
    ['before the verdict', ''],
    ['while it is sent on', 'x'.repeat(70_000)],
  ])('a body that breaks %s is one refusal or one outcome', async (_when, first) => {
    answer = '';
    const wire = await front.dial();
    const chunk = first === '' ? '' : `${first.length.toString(16)}\r\n${first}\r\n`;
    wire.send(`${head('POST', 'Transfer-Encoding: chunked\r\n')}${chunk}`);
    if (first !== '')
      await waitFor('the verdict in the trail', () =>
        expect(front.events('ActionEvent::Judged')).toHaveLength(1),
      );
    wire.send('zz\r\n');
    await wire.until((text) => statusOf(text) === 400);
    await nextLook(20_000);
    await wire.closed;
    const own = [
      ...front.events('ProxyEvent::RequestAllowed'),
      ...front
        .events('ProxyEvent::RequestBlocked')
        .filter(({ reason }) => reason !== 'slow-head' && reason !== 'malformed-request-line'),
    ];
    expect(own).toHaveLength(1);
  });
});

test('[NE-8] a connection that never says who it is ends soon', async () => {
  const silent: Wire = await front.dial();
  await nextLook(11_000);
  await silent.closed;
});
