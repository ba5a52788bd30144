import { waitUntil } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { ask, get, openEgress, rawUpstream, send } from './egress-fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('connections', () => {
  test('are used again, one request at a time', async () => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    await using egress = openEgress();
    for (let turn = 0; turn < 20; turn++) await ask(egress, get(upstream.port, { method: 'POST' }));
    expect(upstream.sockets).toHaveLength(1);
    await Promise.all(Array.from({ length: 5 }, () => ask(egress, get(upstream.port))));
    expect(upstream.sockets).toHaveLength(5);
  });

  test('[ID-4] are not shared by tenants, nor by names that lead to the same address', async () => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    await using egress = openEgress();
    await ask(egress, get(upstream.port));
    await ask(egress, get(upstream.port, { tenant: 'other' }));
    await ask(egress, get(upstream.port, { host: 'www.example.com' }));
    expect(upstream.sockets).toHaveLength(3);
  });

  test.each([
    {
      why: 'the host says close',
      answer: 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok',
    },
    { why: 'the host speaks 1.0', answer: 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok' },
  ])('are closed when $why', async ({ answer }) => {
    await using upstream = await rawUpstream((socket) => socket.write(answer));
    await using egress = openEgress();
    await ask(egress, get(upstream.port));
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
    await ask(egress, get(upstream.port));
    expect(upstream.sockets).toHaveLength(2);
  });

  test('that nobody uses are closed after a while', async () => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    await using egress = openEgress({ limits: { idleMs: 40 } });
    await ask(egress, get(upstream.port));
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
  });

  test('to one host are bounded: who comes later waits, and is served in order', async () => {
    const waiting: (() => void)[] = [];
    await using upstream = await rawUpstream((socket) => void waiting.push(() => socket.write(OK)));
    await using egress = openEgress({ limits: { perHost: 2 } });
    const order: number[] = [];
    const all = Array.from({ length: 5 }, async (_, index) => {
      const told = await ask(egress, get(upstream.port, { target: `/${index}` }));
      order.push(index);
      return told.body;
    });
    await waitUntil('two requests at the host', () => waiting.length === 2);
    expect(upstream.sockets).toHaveLength(2);
    for (let answered = 0; answered < 5; answered++) {
      await waitUntil('a request at the host', () => waiting.length > 0);
      waiting.shift()?.();
      await waitUntil('the next answer', () => order.length === answered + 1);
    }
    expect(await Promise.all(all)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(upstream.sockets).toHaveLength(2);
  });

  test('who waits for one too long, or is one too many, is told', async () => {
    await using upstream = await rawUpstream(() => {});
    await using egress = openEgress({ limits: { perHost: 1, queued: 1, queueMs: 60 } });
    const first = send(egress, get(upstream.port));
    const second = send(egress, get(upstream.port));
    const third = send(egress, get(upstream.port));
    expect((await third.ear.whole).error).toMatchObject({ code: 'Unavailable' });
    expect((await second.ear.whole).error).toMatchObject({ code: 'UpstreamTimeout' });
    first.exchange.abort();
    expect(upstream.sockets).toHaveLength(1);
  });

  test('in all are bounded, tunnels too: an unused one makes room, a used one does not', async () => {
    await using upstream = await rawUpstream((socket, text) => {
      if (!text.includes('/slow')) socket.write(OK);
    });
    await using egress = openEgress({ limits: { total: 2 } });
    const { signal } = new AbortController();
    const tunnel = await egress.connect(get(upstream.port), { signal });
    await ask(egress, get(upstream.port, { host: 'a.example.com' }));
    const slow = send(egress, get(upstream.port, { host: 'b.example.com', target: '/slow' }));
    await waitUntil('the slow request at the host', () =>
      upstream.received.some((text) => text.includes('/slow')),
    );
    await waitUntil('two connections to the host', () => upstream.live() === 2);
    const refused = await ask(egress, get(upstream.port, { host: 'c.example.com' }));
    expect(refused.error).toMatchObject({ code: 'Unavailable' });
    await expect(egress.connect(get(upstream.port), { signal })).rejects.toMatchObject({
      code: 'Unavailable',
    });
    slow.exchange.abort();
    tunnel.destroy();
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
    expect(await ask(egress, get(upstream.port, { host: 'c.example.com' }))).toMatchObject({ body: 'ok' });
  });
});

describe('a connection that the host closes just when it is used again', () => {
  /** Answers the first request of each connection, and closes when the second one comes. */
  const racing = () =>
    rawUpstream((socket, text, connection) => {
      if (connection === 0 && (text.match(/ HTTP\/1\.1/g)?.length ?? 0) > 1) socket.destroy();
      else socket.write(OK);
    });

  test.each(['GET', 'HEAD', 'OPTIONS'])('a %s is sent again, once', async (method) => {
    await using upstream = await racing();
    await using egress = openEgress();
    await ask(egress, get(upstream.port));
    const told = await ask(egress, get(upstream.port, { method, target: '/second' }));
    expect(told.error).toBeUndefined();
    expect(upstream.received.filter((text) => text.includes('/second'))).toHaveLength(2);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'MKCOL'])('a %s is never sent again', async (method) => {
    await using upstream = await racing();
    await using egress = openEgress();
    await ask(egress, get(upstream.port));
    const told = await ask(egress, get(upstream.port, { method, target: '/second', body: Buffer.from('x') }));
    expect(told.error).toMatchObject({ code: 'UpstreamBroken' });
    expect(upstream.received.filter((text) => text.includes('/second'))).toHaveLength(1);
  });

  test('a GET whose body is streamed is never sent again', async () => {
    await using upstream = await racing();
    await using egress = openEgress();
    await ask(egress, get(upstream.port));
    const { ear, exchange } = send(egress, get(upstream.port, { target: '/second', isStreamed: true }));
    exchange.write(Buffer.from('part'));
    expect((await ear.whole).error).toMatchObject({ code: 'UpstreamBroken' });
    expect(upstream.received.filter((text) => text.includes('/second'))).toHaveLength(1);
  });

  test('a host that closes every time is asked twice, not for ever', async () => {
    await using upstream = await rawUpstream((socket, text) => {
      if (text.includes('/second')) socket.destroy();
      else socket.write(OK);
    });
    await using egress = openEgress();
    await ask(egress, get(upstream.port));
    expect((await ask(egress, get(upstream.port, { target: '/second' }))).error).toMatchObject({
      code: 'UpstreamBroken',
    });
    expect(upstream.sockets).toHaveLength(2);
  });
});

describe('giving up', () => {
  test('an abort while connecting, waiting or reading tells nothing more and frees the socket', async () => {
    await using upstream = await rawUpstream((socket, text) => {
      if (text.includes('/body')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart');
    });
    await using egress = openEgress();
    const connecting = send(egress, get(upstream.port));
    connecting.exchange.abort();
    const waiting = send(egress, get(upstream.port, { target: '/wait' }));
    await waitUntil('the request at the host', () =>
      upstream.received.some((text) => text.includes('/wait')),
    );
    waiting.exchange.abort();
    const reading = send(egress, get(upstream.port, { target: '/body' }));
    await reading.ear.headed;
    reading.exchange.abort();
    reading.exchange.abort();
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
    for (const { ear } of [connecting, waiting, reading]) expect(ear.endings).toBe(0);
  });

  test('a signal does the same, and the sink is told why', async () => {
    await using upstream = await rawUpstream(() => {});
    await using egress = openEgress();
    const controller = new AbortController();
    const { ear } = send(egress, get(upstream.port), { signal: controller.signal });
    await waitUntil('one connection at the host', () => upstream.received.length === 1);
    const why = new Error('the agent left');
    controller.abort(why);
    expect((await ear.whole).error).toBe(why);
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
    const late = send(egress, get(upstream.port), { signal: controller.signal });
    expect(late.ear.endings).toBe(0);
    expect((await late.ear.whole).error).toBe(why);
  });

  test('closing ends what is under way, and nothing begins afterwards', async () => {
    await using upstream = await rawUpstream(() => {});
    const egress = openEgress({
      resolver: async (name) => (name === 'slow' ? new Promise(() => {}) : ['127.0.0.1']),
    });
    const active = send(egress, get(upstream.port));
    const dialling = send(egress, get(upstream.port, { host: 'slow' }));
    const tunnel = await egress.connect(get(upstream.port), { signal: new AbortController().signal });
    await waitUntil('a request at the host', () => upstream.received.some((text) => text !== ''));
    await egress.close();
    expect((await active.ear.whole).error).toMatchObject({ code: 'Unavailable' });
    expect((await dialling.ear.whole).error).toMatchObject({ code: 'Unavailable' });
    expect(tunnel.destroyed).toBe(true);
    expect((await ask(egress, get(upstream.port))).error).toMatchObject({ code: 'Unavailable' });
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
  });

  test('a sink that throws loses its connection and nothing else', async () => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    await using egress = openEgress();
    const { ear } = send(egress, get(upstream.port));
    ear.onHead = () => {
      throw new Error('the sink is broken');
    };
    expect((await ear.whole).error).toMatchObject({ message: 'the sink is broken' });
    expect(await ask(egress, get(upstream.port))).toMatchObject({ body: 'ok' });
  });
});
