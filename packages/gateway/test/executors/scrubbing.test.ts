import { createServer, type ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { closeServer, listenOnFreePort } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openExecutor, VALUE } from './executor-fixture.ts';

/** How a server may write a value down. Chosen by the server, unknown to whoever scrubs. */
const ENCODINGS: Readonly<Record<string, (value: string) => string>> = {
  raw: (value) => value,
  'base64 at offset 0': (value) => Buffer.from(value).toString('base64'),
  'base64 at offset 1': (value) => Buffer.from(`a${value}`).toString('base64'),
  'base64 at offset 2': (value) => Buffer.from(`ab${value}`).toString('base64'),
  base64url: (value) => Buffer.from(value).toString('base64url'),
  percent: encodeURIComponent,
  hex: (value) => Buffer.from(value).toString('hex'),
  JSON: (value) => JSON.stringify(value).replaceAll('/', '\\/'),
};
const COMPRESSIONS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
};

async function serve(answer: (response: ServerResponse, authorization: string) => void): Promise<number> {
  const server = createServer((request, response) => answer(response, request.headers.authorization ?? ''));
  onTestFinished(() => closeServer(server));
  return listenOnFreePort(server);
}

/** A small generator of chance with a seed that is printed when a row fails. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function writeInPieces(
  response: ServerResponse,
  bytes: Buffer,
  random: (below: number) => number,
): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random(40);
    await new Promise((resolve) => response.write(bytes.subarray(at, at + size), resolve));
    at += size;
  }
  response.end();
}

describe('[CR-4] a host that sends the lent value back', () => {
  for (const [encoding, encode] of Object.entries(ENCODINGS)) {
    for (const [compression, compress] of Object.entries(COMPRESSIONS)) {
      test(`${encoding}, ${compression}, in pieces of any size`, async () => {
        await using executing = await openExecutor();
        const seed = Math.trunc(performance.now() * 1000);
        const random = chance(seed);
        const port = await serve((response, authorization) => {
          const value = authorization.slice('Bearer '.length);
          const text = `${'-'.repeat(random(100))}${encode(value)}${'='.repeat(random(100))}`;
          if (compression !== 'identity') response.setHeader('content-encoding', compression);
          void writeInPieces(response, compress(Buffer.from(text)), random);
        });
        const told = await executing.ask(port);
        expect(told.error, `seed ${seed}`).toBeUndefined();
        expect(told.body, `seed ${seed}`).toMatch(/^-*["A-Za-z]{0,4}\*{20,}["=A-Za-z0-9*]*=*$/);
        expect(told.body).not.toContain(encode(VALUE).slice(3, 20));
        expect(told.head?.headers.some(([name]) => name.toLowerCase() === 'content-encoding')).toBe(false);
        expect(executing.lending.trail.of('ProxyEvent::ResponseScrubbed')).toHaveLength(1);
        expect(executing.lending.printed()).not.toContain(VALUE);
      });
    }
  }

  test('in a header, in the name of one, in a trailer and in a 103', async () => {
    await using executing = await openExecutor();
    const port = await serve((response, authorization) => {
      const value = authorization.slice('Bearer '.length);
      const safe = Buffer.from(value).toString('hex');
      response.writeEarlyHints({ link: `<https://example.com/${encodeURIComponent(value)}>; rel=preload` });
      response.setHeader('x-echo', authorization);
      response.setHeader(`x-${safe}`, 'yes');
      response.setHeader('trailer', 'x-end');
      response.write('ok');
      response.addTrailers({ 'x-end': Buffer.from(value).toString('base64') });
      response.end();
    });
    const told = await executing.ask(port);
    const all = JSON.stringify([told.head, told.trailers]);
    expect(told.body).toBe('ok');
    expect(told.trailers).toHaveLength(1);
    expect(all).toContain('"Bearer ***');
    for (const encode of Object.values(ENCODINGS)) expect(all).not.toContain(encode(VALUE).slice(3, 18));
  });

  test('behind an encoding that nobody can look into is cut off', async () => {
    await using executing = await openExecutor();
    const port = await serve((response, authorization) => {
      response.setHeader('content-encoding', 'rot13');
      response.end(authorization);
    });
    const told = await executing.ask(port);
    expect(told.head).toBeUndefined();
    expect(told.error).toMatchObject({ code: 'UpstreamBroken' });
  });

  test('in a body that is not compressed as it says is cut off', async () => {
    await using executing = await openExecutor();
    const port = await serve((response, authorization) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(authorization);
    });
    expect((await executing.ask(port)).error).toMatchObject({ code: 'UpstreamBroken' });
  });

  test('compressed twice', async () => {
    await using executing = await openExecutor();
    const port = await serve((response, authorization) => {
      response.setHeader('content-encoding', 'gzip, br');
      response.end(brotliCompressSync(gzipSync(authorization)));
    });
    expect((await executing.ask(port)).body).toBe(`Bearer ${'*'.repeat(VALUE.length)}`);
  });

  test('is not asked for parts, frames or codings that hide it', async () => {
    await using executing = await openExecutor();
    let seen: unknown;
    const server = createServer((request, response) => {
      seen = request.headers;
      response.end();
    });
    onTestFinished(() => closeServer(server));
    const port = await listenOnFreePort(server);
    await executing.ask(port, {
      headers: [
        ['Range', 'bytes=0-9'],
        ['If-Range', '"x"'],
        ['Accept-Encoding', 'exi, gzip;q=1.0'],
        ['Sec-WebSocket-Extensions', 'permessage-deflate'],
        ['Cookie', 'own=1'],
      ],
    });
    expect(seen).toMatchObject({ 'accept-encoding': 'gzip' });
    for (const name of ['range', 'if-range', 'cookie', 'sec-websocket-extensions'])
      expect(seen).not.toHaveProperty(name);
  });
});

describe('a large answer', () => {
  test('passes as it is, with its length, whatever stands in it', async () => {
    await using executing = await openExecutor();
    const body = Buffer.alloc(3_000_000, 'tok_4f/Zq+8Lw9-Rt%4 and so on ');
    const port = await serve((response) => {
      response.setHeader('content-length', body.length);
      response.end(body);
    });
    const told = await executing.ask(port);
    expect(told.head?.headers).toContainEqual(['content-length', String(body.length)]);
    expect(told.body === body.toString('latin1')).toBe(true);
    expect(executing.lending.trail.of('ProxyEvent::ResponseScrubbed')).toHaveLength(0);
  });
});

describe('cookies of a host that a credential was lent to', () => {
  async function jar() {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.cookie);
      response.setHeader('set-cookie', [
        'login=sess-of-the-lent-user; Path=/; HttpOnly',
        'bad',
        'far=1; Domain=com',
      ]);
      response.end(request.headers.cookie ?? 'none');
    });
    onTestFinished(() => closeServer(server));
    return { seen, port: await listenOnFreePort(server) };
  }

  test('[CR-1] stay on our side, come back to that host, and are scrubbed like the value', async () => {
    await using executing = await openExecutor();
    const { seen, port } = await jar();
    const first = await executing.ask(port);
    expect(JSON.stringify(first.head)).not.toContain('cookie');
    const second = await executing.ask(port);
    expect(seen).toEqual([undefined, 'login=sess-of-the-lent-user']);
    expect(second.body).toBe(`login=${'*'.repeat('sess-of-the-lent-user'.length)}`);
  });

  test('[CR-5] are not those of another session, and end with theirs', async () => {
    await using executing = await openExecutor();
    const { seen, port } = await jar();
    await executing.ask(port);
    const session = executing.lending.sessions.get('sess_ops');
    if (session === undefined) throw new Error('no session');
    const { get } = await import('../egress/egress-fixture.ts');
    const { actionOf } = await import('./executor-fixture.ts');
    await executing.ask(port, {}, { session, action: actionOf(get(port), 'api', 'sess_ops') });
    for (const end of executing.ended) end();
    await executing.ask(port);
    expect(seen).toEqual([undefined, undefined, undefined]);
  });
});
