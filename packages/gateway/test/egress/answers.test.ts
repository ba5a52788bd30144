import { waitUntil } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { ask, get, openEgress, rawUpstream, send } from './egress-fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('an honest host', () => {
  test('gets the request as it was meant, and its answer comes back', async () => {
    await using upstream = await rawUpstream((socket) =>
      socket.write(
        'HTTP/1.1 201 Made\r\nX-A: 1\r\nConnection: keep-alive, X-B\r\nX-B: 2\r\nContent-Length: 2\r\n\r\nok',
      ),
    );
    await using egress = openEgress();
    const told = await ask(
      egress,
      get(upstream.port, {
        method: 'POST',
        target: '/a?b',
        headers: [['X-C', 'd']],
        body: Buffer.from('hello'),
      }),
    );
    expect(told).toMatchObject({ body: 'ok', trailers: [], error: undefined });
    expect(told.head).toEqual({
      status: 201,
      headers: [
        ['X-A', '1'],
        ['Content-Length', '2'],
      ],
    });
    expect(upstream.received).toEqual([
      `POST /a?b HTTP/1.1\r\nHost: api.example.com:${upstream.port}\r\nX-C: d\r\nContent-Length: 5\r\n\r\nhello`,
    ]);
  });

  test('a body that is streamed without a known size goes out in chunks, with its trailers', async () => {
    await using upstream = await rawUpstream((socket, text) => {
      if (text.endsWith('\r\n\r\n') && text.includes('\r\n0\r\n')) socket.write(OK);
    });
    await using egress = openEgress();
    const { ear, exchange } = send(egress, get(upstream.port, { method: 'PUT', isStreamed: true }));
    exchange.write(Buffer.from('abc'));
    exchange.write(Buffer.from('defg'));
    exchange.end([['X-Sum', '7']]);
    expect(await ear.whole).toMatchObject({ body: 'ok' });
    expect(upstream.received[0]).toContain(
      'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Sum: 7\r\n\r\n',
    );
    expect(ear.drains).toBe(0);
  });

  test('a POST without a body says so, a GET says nothing', async () => {
    await using upstream = await rawUpstream((socket) => socket.write(OK));
    await using egress = openEgress();
    await ask(egress, get(upstream.port, { method: 'POST' }));
    await ask(egress, get(upstream.port));
    expect(upstream.received[0]?.match(/Content-Length: 0/g)).toHaveLength(1);
  });

  test('chunks, trailers, interim answers and an answer that lasts until the end are read', async () => {
    await using upstream = await rawUpstream((socket, text) => {
      if (text.includes('/chunks'))
        socket.write(
          'HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-T: 1\r\n\r\n',
        );
      else socket.end('HTTP/1.0 200 OK\r\n\r\nuntil the end');
    });
    await using egress = openEgress();
    const chunked = await ask(egress, get(upstream.port, { target: '/chunks' }));
    expect(chunked).toMatchObject({ informational: [103], body: 'ok', trailers: [['X-T', '1']] });
    expect(chunked.head?.headers).toEqual([]);
    expect(await ask(egress, get(upstream.port, { tenant: 'other' }))).toMatchObject({
      body: 'until the end',
    });
  });

  test('[NE-7] a redirect is an answer: nothing is looked up, dialled or asked because of it', async () => {
    await using upstream = await rawUpstream((socket) =>
      socket.write('HTTP/1.1 302 Found\r\nLocation: http://other.example.com/\r\nContent-Length: 0\r\n\r\n'),
    );
    const asked: string[] = [];
    await using egress = openEgress({
      resolver: async (name) => {
        asked.push(name);
        return ['127.0.0.1'];
      },
    });
    const told = await ask(egress, get(upstream.port));
    expect(told.head).toMatchObject({ status: 302 });
    expect(told.head?.headers).toContainEqual(['Location', 'http://other.example.com/']);
    // Whatever was sent because of it would have arrived before this one.
    await ask(egress, get(upstream.port, { target: '/after' }));
    expect(asked).toEqual(['api.example.com']);
    expect(upstream.received).toHaveLength(1);
    expect(upstream.received[0]?.match(/GET \S+/g)).toEqual(['GET /', 'GET /after']);
  });

  test('a HEAD, a 204 and a 304 have no body, and the connection goes on', async () => {
    const answers = [
      'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n',
      'HTTP/1.1 204 No\r\n\r\n',
      'HTTP/1.1 304 Same\r\nContent-Length: 7\r\n\r\n',
      OK,
    ];
    await using upstream = await rawUpstream((socket) => socket.write(answers.shift() ?? ''));
    await using egress = openEgress();
    for (const method of ['HEAD', 'GET', 'GET']) {
      expect(await ask(egress, get(upstream.port, { method }))).toMatchObject({ body: '', error: undefined });
    }
    expect(await ask(egress, get(upstream.port))).toMatchObject({ body: 'ok' });
    expect(upstream.sockets).toHaveLength(1);
  });
});

describe('a host that answers before it has the whole request', () => {
  test('is heard, the rest of the body is dropped, and the connection is not used again', async () => {
    await using upstream = await rawUpstream((socket, text) => {
      if (text.includes('\r\n\r\n')) socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
    });
    await using egress = openEgress();
    const { ear, exchange } = send(
      egress,
      get(upstream.port, { method: 'POST', isStreamed: true, streamedBytes: 1_000 }),
    );
    expect(exchange.write(Buffer.from('x'))).toBe(false);
    expect((await ear.whole).head?.status).toBe(413);
    expect(exchange.write(Buffer.alloc(500))).toBe(true);
    exchange.end();
    await waitUntil('every connection to the host to be closed', () => upstream.live() === 0);
  });
});
