import { hash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { closeServer, listenOnFreePort } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answers, type Front, openFront, statusOf } from './front-fixture.ts';

let front: Front;
let upstream: Server;
let port = 0;
const seen: { authorization: string | undefined; body: Buffer }[] = [];

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push({ authorization: request.headers.authorization, body: Buffer.concat(chunks) });
    response.end('{}');
  });
  port = await listenOnFreePort(upstream);
  front = await openFront({
    providers: [
      { host: 'api.example.com', provider: 'anthropic' },
      { host: 'open.example', provider: 'anthropic' },
    ],
    config: {
      routes: [{ host: 'api.example.com', credential: 'main' }],
      tenants: { default: { exceptions: [] } },
    },
  });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await closeServer(upstream);
});
beforeEach(() => {
  seen.length = 0;
  front.questions.length = 0;
  front.trail.events.length = 0;
  front.people = 'no';
});

interface Sent {
  readonly host?: string;
  readonly fields?: string;
  readonly chunked?: boolean;
}

async function send(body: Buffer, { host = 'api.example.com', fields = '', chunked = false }: Sent = {}) {
  const wire = await front.dial();
  const where = `${host}:${port}`;
  const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  wire.send(
    `POST http://${where}/v1/messages?beta=true HTTP/1.1\r\nHost: ${where}\r\nProxy-Authorization: ${front.auth}\r\nContent-Type: application/json\r\n${fields}${framing}\r\n\r\n`,
  );
  for (let at = 0; at < body.length; at += 100_000) {
    const piece = body.subarray(at, at + 100_000);
    wire.send(
      chunked
        ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
        : piece,
    );
  }
  if (chunked) wire.send('0\r\n\r\n');
  const text = await wire.until(answers(1));
  wire.socket.destroy();
  return statusOf(text);
}

/** A conversation of so many bytes, and whatever stands behind it. */
function conversation(bytes: number, behind: object = {}): Buffer {
  const line = (at: number): string => `${hash('sha256', String(at))} a "quoted" line of code\\n\n`;
  const messages = Array.from({ length: Math.max(1, Math.round(bytes / 1_100)) }, (_, turn) => ({
    role: 'user',
    content: Array.from({ length: 10 }, (__, at) => line(turn * 10 + at)).join(''),
  }));
  return Buffer.from(JSON.stringify({ model: 'm', max_tokens: 1, messages, ...behind }));
}
const ACTING = { mcp_servers: [{ type: 'url', url: 'https://evil.example/', name: 'x' }] };
const encoding = (name: string): Sent => ({ fields: `Content-Encoding: ${name}\r\n` });

describe('[NE-11] a request to a model', () => {
  test.each([
    ['a short conversation', 2_000, {}],
    ['one that is longer than what is shown', 500_000, {}],
    ['one of a day', 4_000_000, {}],
    ['one whose length nobody knows', 500_000, { chunked: true }],
  ] as const)('%s is a read, and goes on as it came', async (_why, bytes, how) => {
    const body = conversation(bytes);
    expect(await send(body, how)).toBe(200);
    expect(front.questions).toEqual([]);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.authorization).toBe('Bearer the-real-token');
    expect(seen[0]?.body.equals(body)).toBe(true);
    expect(front.events('ActionEvent::Judged')).toMatchObject([{ type: 'custom:inference', effect: 'read' }]);
  });

  test.each([
    ['a short one', 2_000, {}],
    ['one that is longer than what is shown', 500_000, {}],
    ['one whose length nobody knows', 500_000, { chunked: true }],
  ] as const)('%s that makes the provider act asks, wherever it says so', async (_why, bytes, how) => {
    const body = conversation(bytes, ACTING);
    expect(await send(body, how)).toBe(403);
    expect(front.questions).toMatchObject([{ effect: 'write', type: 'custom:http' }]);
    expect(seen).toEqual([]);
    front.people = 'yes';
    expect(await send(body, how)).toBe(200);
    expect(seen[0]?.body.equals(body)).toBe(true);
    expect(front.spooled()).toEqual([]);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
    ['zstd', zstdCompressSync],
  ] as const)('is read through `%s`, and sent as it came', async (name, encode) => {
    for (const bytes of [2_000, 2_000_000]) {
      seen.length = 0;
      const honest = encode(conversation(bytes));
      expect(await send(honest, encoding(name))).toBe(200);
      expect(seen[0]?.body.equals(honest)).toBe(true);
      expect(front.questions).toEqual([]);
      expect(await send(encode(conversation(bytes, ACTING)), encoding(name))).toBe(403);
      expect(front.questions.splice(0)).toHaveLength(1);
    }
  });

  test.each([
    ['an encoding that programs do not agree on', deflateSync(conversation(2_000)), 'deflate'],
    ['an encoding that nobody knows', conversation(2_000), 'aws-chunked'],
    ['two encodings', gzipSync(gzipSync(conversation(2_000))), 'gzip, gzip'],
    ['one that it does not have', conversation(2_000), 'gzip'],
    ['one that it only seems to lack', gzipSync(conversation(2_000)), 'identity'],
    ['a bomb', gzipSync(Buffer.alloc(30_000_000, 0x20)), 'gzip'],
    ['half of it', zstdCompressSync(conversation(500_000)).subarray(0, 500), 'zstd'],
  ])('with %s asks', async (_why, body, name) => {
    expect(await send(body, encoding(name))).toBe(403);
    expect(front.questions).toHaveLength(1);
    expect(seen).toEqual([]);
  });

  test('that has two objects in two compressed parts asks', async () => {
    const body = Buffer.concat([gzipSync(conversation(2_000)), gzipSync(conversation(2_000, ACTING))]);
    expect(await send(body, encoding('gzip'))).toBe(403);
    expect(front.questions).toHaveLength(1);
  });

  test('that is larger than any provider takes asks, and is kept on disk meanwhile', async () => {
    front.people = 'yes';
    const body = conversation(40 * 1024 * 1024);
    expect(await send(body)).toBe(200);
    expect(front.questions).toMatchObject([{ effect: 'write' }]);
    expect(seen[0]?.body.equals(body)).toBe(true);
  });

  test('with nothing lent asks: whose account it runs on, nobody knows', async () => {
    expect(await send(conversation(2_000), { host: 'open.example' })).toBe(403);
    expect(await send(conversation(500_000), { host: 'open.example' })).toBe(403);
    expect(front.questions).toHaveLength(2);
  });
});
