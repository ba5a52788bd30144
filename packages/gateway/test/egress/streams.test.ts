import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenOnFreePort, waitUntil } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { get, openEgress, rawUpstream, send, settled } from './egress-fixture.ts';

const MB = 1_048_576;
const { signal } = new AbortController();

describe('long bodies', () => {
  test('200 MB each way pass in constant memory, at the pace of the slower side', async () => {
    const piece = Buffer.alloc(MB, 'x');
    const pieces = 200;
    let came = 0;
    const server = createServer((socket) => {
      const pump = (sent: number): void => {
        for (let count = sent; count < pieces; count++) {
          if (!socket.write(piece)) return void socket.once('drain', () => pump(count + 1));
        }
      };
      socket.on('data', (chunk: Buffer) => {
        const isFirst = came === 0;
        came += chunk.length;
        if (!isFirst) return;
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${pieces * MB}\r\n\r\n`);
        pump(0);
      });
    });
    const port = await listenOnFreePort(server);
    await using egress = openEgress();
    const request = get(port, { method: 'POST', isStreamed: true, streamedBytes: pieces * MB });
    const { ear, exchange } = send(egress, request);
    let got = 0;
    let most = 0;
    const before = process.memoryUsage().rss;
    ear.onBody = (chunk) => {
      got += chunk.length;
      most = Math.max(most, process.memoryUsage.rss());
      setImmediate(() => exchange.resume());
      return false;
    };
    let written = 0;
    const feed = (): void => {
      while (written < pieces) {
        written++;
        if (!exchange.write(piece)) return;
      }
      exchange.end();
    };
    ear.onDrain = feed;
    feed();
    expect((await ear.whole).error).toBeUndefined();
    expect([got, written]).toEqual([pieces * MB, pieces]);
    expect((most - before) / MB).toBeLessThan(100);
    server.close();
  });

  test('a sink that is slow holds the host back', async () => {
    const pieces = 128;
    let written = 0;
    await using upstream = await rawUpstream((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${pieces * MB}\r\n\r\n`);
      const more = (): void => {
        while (written < pieces) {
          written++;
          if (!socket.write(Buffer.alloc(MB))) return void socket.once('drain', more);
        }
      };
      more();
    });
    await using egress = openEgress();
    const { ear, exchange } = send(egress, get(upstream.port));
    let taking = false;
    let got = 0;
    ear.onBody = (chunk) => {
      got += chunk.length;
      return taking;
    };
    await waitUntil('the first bytes', () => got > 0);
    expect(await settled(() => written)).toBeLessThan(pieces);
    taking = true;
    exchange.resume();
    expect((await ear.whole).error).toBeUndefined();
    expect(got).toBe(pieces * MB);
  });

  test('a host that does not read holds the sender back', async () => {
    await using upstream = await rawUpstream(
      () => {},
      (socket) => void socket.pause(),
    );
    await using egress = openEgress();
    const { ear, exchange } = send(egress, get(upstream.port, { method: 'PUT', isStreamed: true }));
    exchange.write(Buffer.alloc(1));
    await waitUntil('room for more', () => ear.drains > 0);
    let written = 0;
    while (written < 100 && exchange.write(Buffer.alloc(MB))) written++;
    expect(written).toBeLessThan(100);
    exchange.abort();
  });
});

describe('another protocol', () => {
  const SWITCH =
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n';

  test('is switched to when the host agrees; what it sends at once is not lost', async () => {
    await using upstream = await rawUpstream((socket, text) => {
      if (text.endsWith('\r\n\r\n')) socket.write(`${SWITCH}first`);
      else socket.write(`echo ${text.slice(-4)}`);
    });
    await using egress = openEgress();
    const request = get(upstream.port, { target: '/ws', headers: [['Sec-WebSocket-Key', 'k']] });
    const outcome = await egress.upgrade(request, 'websocket', { signal });
    expect(outcome).toMatchObject({ kind: 'switched', head: { status: 101 } });
    expect(outcome.head.headers).toEqual([['Sec-WebSocket-Accept', 'x']]);
    expect(upstream.received[0]).toBe(
      `GET /ws HTTP/1.1\r\nHost: api.example.com:${upstream.port}\r\nSec-WebSocket-Key: k\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    if (outcome.kind !== 'switched') throw new Error('not switched');
    expect(await read(outcome.socket)).toBe('first');
    outcome.socket.write('ping');
    expect(await read(outcome.socket)).toBe('echo ping');
    outcome.socket.destroy();
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
  });

  test('a host that says no is heard, with its body', async () => {
    await using upstream = await rawUpstream((socket) =>
      socket.end(
        'HTTP/1.1 426 Upgrade Required\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nnot\r\n4\r\n now\r\n0\r\n\r\n',
      ),
    );
    await using egress = openEgress();
    const outcome = await egress.upgrade(get(upstream.port), 'websocket', { signal });
    expect(outcome).toMatchObject({ kind: 'answered', head: { status: 426 } });
    if (outcome.kind !== 'answered') throw new Error('switched');
    expect(Buffer.concat(await outcome.body.toArray()).toString()).toBe('not now');
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
  });

  test.each([
    { why: 'nonsense', bytes: 'nonsense\r\n\r\n', code: 'UpstreamBroken' },
    { why: 'the end', bytes: '', code: 'UpstreamBroken' },
    { why: 'another protocol', bytes: SWITCH.replace('websocket', 'h2c'), code: 'UpstreamBroken' },
    { why: 'no protocol', bytes: SWITCH.replace('Upgrade: websocket\r\n', ''), code: 'UpstreamBroken' },
    { why: 'nothing', bytes: undefined, code: 'UpstreamTimeout' },
    {
      why: 'a switch with a body',
      bytes: SWITCH.replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\nok'),
      code: 'UpstreamBroken',
    },
  ])('an answer that is $why ends it', async ({ bytes, code }) => {
    await using upstream = await rawUpstream((socket) => bytes !== undefined && socket.end(bytes));
    await using egress = openEgress({ limits: { headMs: 100 } });
    await expect(egress.upgrade(get(upstream.port), 'websocket', { signal })).rejects.toMatchObject({ code });
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
  });

  test('a protocol that is no name is not asked for, and an abort closes the socket', async () => {
    await using upstream = await rawUpstream(() => {});
    await using egress = openEgress();
    await expect(egress.upgrade(get(upstream.port), 'a\r\nX: b', { signal })).rejects.toThrow();
    expect(upstream.received.join('')).toBe('');
    const controller = new AbortController();
    const asking = egress.upgrade(get(upstream.port), 'websocket', { signal: controller.signal });
    await waitUntil('a request at the host', () => upstream.received.some((text) => text !== ''));
    controller.abort(new Error('the agent left'));
    await expect(asking).rejects.toThrow('the agent left');
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
  });

  test('a tunnel passes bytes both ways, unopened', async () => {
    await using upstream = await rawUpstream((socket, text) => socket.write(`echo ${text}`));
    await using egress = openEgress();
    const socket = await egress.connect(get(upstream.port, { scheme: 'https' }), { signal });
    socket.write('\u0016\u0003\u0001');
    expect(await read(socket)).toBe('echo \u0016\u0003\u0001');
    socket.destroy();
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
  });
});

async function read(socket: Duplex): Promise<string> {
  socket.resume();
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return chunk.toString('latin1');
}
