import { waitUntil } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import type { RawUpstream } from './egress-fixture.ts';
import { ask, get, openEgress, rawUpstream, send } from './egress-fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('[NE-5] an answer that two readers could understand in two ways', () => {
  test.each([
    {
      why: 'a length beside an encoding',
      bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok',
    },
    { why: 'two lengths', bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok' },
    {
      why: 'two equal lengths',
      bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok',
    },
    { why: 'a length that is no number', bytes: 'HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok' },
    {
      why: 'an encoding that is not exactly chunked',
      bytes: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    },
    { why: 'an encoding on 1.0', bytes: 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n' },
    { why: 'a bare line feed', bytes: 'HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\nok' },
    { why: 'a folded field', bytes: 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok' },
    { why: 'a space before the colon', bytes: 'HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok' },
    { why: 'a NUL', bytes: 'HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\nok' },
    {
      why: 'a chunk size that is none',
      bytes: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n',
    },
    { why: 'a body where none may be', bytes: 'HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\nok' },
    { why: 'another protocol', bytes: 'SSH-2.0-OpenSSH_9.2\r\n\r\n' },
    { why: 'HTTP/2 without being asked', bytes: 'HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok' },
    {
      why: 'a switch that nobody asked for',
      bytes: 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    },
    { why: 'a status below 100', bytes: 'HTTP/1.1 099 No\r\n\r\n' },
    { why: 'a flood of interim answers', bytes: 'HTTP/1.1 103 Early\r\n\r\n'.repeat(17) + OK },
    { why: 'a head without end', bytes: `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}` },
  ])('is refused and its connection closed: $why', async ({ bytes }) => {
    await using upstream = await rawUpstream((socket) => socket.write(bytes, 'latin1'));
    await using egress = openEgress();
    const told = await ask(egress, get(upstream.port, { method: 'POST' }));
    expect(told.error).toMatchObject({ code: 'UpstreamBroken' });
    expect(told.body).toBe('');
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
  });

  test.each([
    { why: 'in the same packet', later: false },
    { why: 'while nobody asks', later: true },
  ])(
    '[NE-5] a second answer that nobody asked for is never given to the next request: $why',
    async ({ later }) => {
      const evil = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';
      await using upstream = await rawUpstream((socket, _text, connection) => {
        socket.write(connection === 0 && !later ? OK + evil : OK);
      });
      await using egress = openEgress();
      expect(await ask(egress, get(upstream.port))).toMatchObject({ body: 'ok' });
      // The first answer has been read to its end: these bytes come alone.
      if (later) upstream.sockets[0]?.write(evil);
      await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
      expect(await ask(egress, get(upstream.port))).toMatchObject({ body: 'ok', error: undefined });
      expect(upstream.sockets).toHaveLength(2);
    },
  );

  test.each([
    { why: 'a line break in a value', request: { headers: [['X-A', 'b\r\nX-C: d']] as const } },
    { why: 'a line break in a name', request: { headers: [['X-A: b\r\nX-C', 'd']] as const } },
    { why: 'a space in the target', request: { target: '/a HTTP/1.1\r\nX: y' } },
    { why: 'a method that is none', request: { method: 'GET /x' } },
    { why: 'a second Host', request: { headers: [['host', 'other.example.com']] as const } },
    { why: 'a length that is not the body', request: { headers: [['Content-Length', '10']] as const } },
    { why: 'an encoding', request: { headers: [['Transfer-Encoding', 'chunked']] as const } },
    { why: 'a connection header', request: { headers: [['Connection', 'upgrade']] as const } },
  ])('[NE-5] a request that could be misread is not sent: $why', async ({ request }) => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    await using egress = openEgress();
    const { headers, ...rest } = { headers: [] as const, ...request };
    const told = await ask(egress, get(upstream.port, { ...rest, headers: [...headers] }));
    expect(told.error).toMatchObject({ code: 'BadRequest' });
    expect(upstream.received.join('')).toBe('');
    // The connection that was opened for it is as good as new.
    expect(await ask(egress, get(upstream.port))).toMatchObject({ body: 'ok' });
    expect(upstream.sockets).toHaveLength(1);
  });

  test.each([
    { why: 'shorter than it said', bytes: 4 },
    { why: 'longer than it said', bytes: 6 },
  ])('[NE-5] a streamed body that is $why never arrives as a whole one', async ({ bytes }) => {
    await using upstream = await rawUpstream(() => {});
    await using egress = openEgress();
    const { ear, exchange } = send(
      egress,
      get(upstream.port, { method: 'POST', isStreamed: true, streamedBytes: 5 }),
    );
    await waitUntil('a whole head at the host', () => upstream.received[0]?.includes('\r\n\r\n') === true);
    exchange.write(Buffer.alloc(bytes, 'x'));
    exchange.end();
    expect((await ear.whole).error).toMatchObject({ code: 'BadRequest' });
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
    expect(upstream.received[0]?.split('\r\n\r\n')[1]?.length).toBeLessThan(5);
  });
});

describe('a host that breaks off', () => {
  test.each([
    {
      why: 'in the middle of a counted body',
      bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart',
      reset: false,
      head: 200,
    },
    {
      why: 'in the middle of a chunk',
      bytes: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\npart',
      reset: false,
      head: 200,
    },
    {
      why: 'between two chunks',
      bytes: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n',
      reset: false,
      head: 200,
    },
    {
      why: 'with a reset in the body',
      bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart',
      reset: true,
      head: 200,
    },
    { why: 'in the middle of the head', bytes: 'HTTP/1.1 200 OK\r\nContent-', reset: false, head: undefined },
  ])('is told as broken, never as the end: $why', async ({ bytes, reset, head }) => {
    await using upstream = await rawUpstream((socket) => {
      if (reset) socket.write(bytes, () => setImmediate(() => socket.resetAndDestroy()));
      else socket.end(bytes);
    });
    await using egress = openEgress();
    const { ear } = send(egress, get(upstream.port));
    const told = await ear.whole;
    expect(told.error).toMatchObject({ code: 'UpstreamBroken' });
    if (!reset) expect(told.head?.status).toBe(head);
    expect(ear.endings).toBe(1);
  });

  test.each([
    { method: 'GET', hint: 'try again' },
    { method: 'POST', hint: 'look before you send it again' },
    { method: 'DELETE', hint: 'look before you send it again' },
  ])('a $method that is not answered at all says what is known of it', async ({ method, hint }) => {
    await using upstream = await rawUpstream((socket) => socket.destroy());
    await using egress = openEgress();
    const { error } = await ask(egress, get(upstream.port, { method }));
    expect(error).toMatchObject({ code: 'UpstreamBroken', hint: expect.stringContaining(hint) });
    expect(error?.message).not.toContain('127.0.0.1');
    expect(upstream.sockets).toHaveLength(1);
  });
});

describe('a host that does nothing', () => {
  const limits = { headMs: 80, connectMs: 300, tlsMs: 80, resolveMs: 80 };

  test('is given up after the time for an answer, and the connection with it', async () => {
    await using upstream = await rawUpstream(() => {});
    await using egress = openEgress({ limits });
    expect((await ask(egress, get(upstream.port))).error).toMatchObject({
      code: 'UpstreamTimeout',
      status: 504,
    });
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
  });

  test('may be silent in the middle of an answer as long as it likes', async () => {
    const upstream: RawUpstream = await rawUpstream((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nok');
      setTimeout(() => socket.write('ok'), 4 * limits.headMs);
    });
    await using _ = upstream;
    await using egress = openEgress({ limits });
    expect(await ask(egress, get(upstream.port))).toMatchObject({ body: 'okok', error: undefined });
  });

  test('is given up when it does not finish the handshake, and when its name is not answered', async () => {
    await using upstream = await rawUpstream(() => {});
    await using egress = openEgress({ limits });
    const { error } = await ask(egress, get(upstream.port, { scheme: 'https' }));
    expect(error).toMatchObject({ code: 'UpstreamTimeout' });
    await using deaf = openEgress({ limits, resolver: () => new Promise(() => {}) });
    expect((await ask(deaf, get(upstream.port))).error).toMatchObject({ code: 'NameNotFound' });
  });

  test('a port that nobody listens on and a name that does not exist are told apart', async () => {
    const gone = await rawUpstream(() => {});
    await gone[Symbol.asyncDispose]();
    await using egress = openEgress();
    const { error } = await ask(egress, get(gone.port));
    expect(error).toMatchObject({ code: 'UpstreamUnreachable', status: 502 });
    expect(error?.message).toBe(`\`api.example.com:${gone.port}\` refuses connections`);
    await using nameless = openEgress({
      resolver: async () => {
        throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
      },
    });
    expect((await ask(nameless, get(1))).error).toMatchObject({ code: 'NameNotFound', status: 502 });
    await using empty = openEgress({ resolver: async () => [] });
    expect((await ask(empty, get(1))).error).toMatchObject({ code: 'NameNotFound' });
  });

  test('the next address is tried when one takes no connection', async () => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    await using egress = openEgress({
      config: () => ({ network: { allow_private: ['127.0.0.0/8'], ca_files: [] }, tenants: { default: {} } }),
      resolver: async () => ['127.9.9.9', '127.0.0.1'],
    });
    expect(await ask(egress, get(upstream.port))).toMatchObject({ body: 'ok' });
  });
});
