import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../shared/secret.ts';
import { Redactor } from '../redaction/redactor.ts';
import { BodyTee, KEPT_CHARS } from './body-tee.ts';
import { describeDetail } from './describe-detail.ts';
import { withoutNamedValues } from './named-values.ts';

const CANARY = 'canary-Zq81LmVx9fd7Q2';
const redactor = new Redactor();
redactor.learn(new Secret(CANARY));

interface Told {
  readonly text?: string;
  readonly base64?: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly cut?: boolean;
  readonly withheld?: string;
}

function told(bytes: Uint8Array, headers: readonly (readonly [string, string])[] = [], step = 1_000): Told {
  const tee = new BodyTee();
  tee.describe(headers);
  for (let at = 0; at < bytes.length; at += step) {
    // A connection reads into the same place again.
    const chunk = Buffer.from(bytes.subarray(at, at + step));
    tee.add(chunk);
    chunk.fill(0);
  }
  const body = tee.body();
  if (body === undefined) throw new Error('there was no body');
  const detail = describeDetail({ response_body: body }, 'full', redactor);
  return detail?.response_body as unknown as Told;
}

describe('[TR-8] a body in an event', () => {
  test('that is text stands there as it is, with size and digest', () => {
    expect(told(Buffer.from('{"a": "ä\\n"}'), [['Content-Type', 'application/json']])).toEqual({
      bytes: 13,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      type: 'application/json',
      text: '{"a": "ä\\n"}',
    });
  });

  test('that is long is cut at the bound, says so, and tells the size of all of it', () => {
    const long = told(Buffer.from('é'.repeat(200_000)), [], 777);
    expect(long).toMatchObject({ cut: true, bytes: 400_000 });
    expect(long.text?.length).toBeLessThanOrEqual(KEPT_CHARS);
    expect(long.text).toMatch(/^é+$/);
    expect(told(Buffer.from('x'.repeat(KEPT_CHARS))).cut).toBeUndefined();
  });

  test('that is no text is base64, up to the bound', () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
    const { base64, cut, text } = told(bytes);
    expect([cut, text]).toEqual([true, undefined]);
    expect(base64?.length).toBeLessThanOrEqual(KEPT_CHARS);
    expect(bytes.subarray(0, 49_152).toString('base64')).toBe(base64);
    expect(told(Buffer.from([0, 255, 1])).base64).toBe('AP8B');
  });

  test.each([
    { why: 'text', bytes: Buffer.from(`before ${CANARY} after`) },
    { why: 'text, base64', bytes: Buffer.from(`x ${Buffer.from(CANARY).toString('base64')} y`) },
    {
      why: 'among bytes',
      bytes: Buffer.concat([Buffer.from([0, 200]), Buffer.from(CANARY), Buffer.from([0])]),
    },
    {
      why: 'across the cut',
      bytes: Buffer.from(`${'x'.repeat(KEPT_CHARS - 7)}${CANARY}${'y'.repeat(9_999)}`),
    },
    { why: 'gzip', bytes: gzipSync(`a ${CANARY} b`), encoding: 'gzip' },
    { why: 'deflate', bytes: deflateSync(`a ${CANARY} b`), encoding: 'deflate' },
    { why: 'brotli', bytes: brotliCompressSync(`a ${CANARY} b`), encoding: 'br' },
    { why: 'zstd', bytes: zstdCompressSync(`a ${CANARY} b`), encoding: 'zstd' },
    { why: 'packed, and it does not say so', bytes: gzipSync(CANARY) },
    { why: 'packed twice', bytes: gzipSync(gzipSync(CANARY)), encoding: 'gzip' },
    { why: 'an encoding that nobody knows', bytes: Buffer.from(CANARY), encoding: 'rot13' },
  ])('[CR-1] never holds a secret that the broker read: $why', ({ bytes, encoding }) => {
    const said = told(bytes, encoding === undefined ? [] : [['content-encoding', encoding]]);
    expect(said.bytes).toBe(bytes.length);
    const text = JSON.stringify(said);
    for (let length = 6; length <= CANARY.length; length += 1)
      expect(text).not.toContain(CANARY.slice(0, length));
    for (const kept of [said.base64 ?? '']) {
      const plain = Buffer.from(kept, 'base64');
      expect(plain.includes(CANARY)).toBe(false);
      if (plain[0] === 0x1f) throw new Error('it can be unpacked');
    }
  });

  test('that is packed by its encoding is shown unpacked, also where its end is missing', () => {
    expect(told(gzipSync('hello'), [['Content-Encoding', 'gzip']])).toMatchObject({ text: 'hello' });
    const words = Array.from({ length: 200_000 }, (_, index) => `${(index * 7919) % 100_003} `).join('');
    const long = told(gzipSync(words), [['Content-Encoding', 'gzip']]);
    expect(long.cut).toBe(true);
    expect(words.startsWith(long.text ?? '-')).toBe(true);
    expect(long.text?.length).toBe(KEPT_CHARS);
  });
});

describe('[TR-8] a request in an event', () => {
  test('that is long is the beginning of its JSON', () => {
    const request = { arguments: { path: '/x', content: 'y'.repeat(100_000) } };
    const detail = describeDetail({ request, status: 'ok' }, 'request', redactor);
    expect(detail).toMatchObject({
      status: 'ok',
      request: { cut: true, bytes: JSON.stringify(request).length },
    });
    expect(JSON.stringify(detail).length).toBeLessThan(KEPT_CHARS * 1.2);
  });

  test('has no body below level `full`, and is not there at all at `metadata`', () => {
    const detail = { request: { url: 'https://x' }, status: 200, request_body: 'a', response_body: 'b' };
    expect(describeDetail(detail, 'metadata', redactor)).toBeUndefined();
    expect(describeDetail(detail, 'request', redactor)).toEqual({
      request: { url: 'https://x' },
      status: 200,
    });
    expect(describeDetail(detail, 'full', redactor)).toEqual(detail);
  });
});

describe('values whose names call them secret', () => {
  const SECRET = 'hunter2-and-more';
  test.each([
    `{"password":"${SECRET}","user":"ana"}`,
    `{"user":"ana","jwt" : "${SECRET}`,
    `{"otp": 123456${SECRET}, "a": 1}`,
    JSON.stringify({ body: JSON.stringify({ clientSecret: SECRET, a: 1 }) }),
    JSON.stringify({ a: JSON.stringify({ body: JSON.stringify({ 'x-auth': SECRET }) }) }),
    `{"secret":"with \\"quotes\\" ${SECRET}"}`,
    `a=1&client_assertion=${SECRET}&b=2`,
    `grant_type=x&api_key=${SECRET}`,
    `X-Auth: ${SECRET}\r\nHost: x`,
    `user: ana\n  dsn: ${SECRET}\n`,
    `<login><user>ana</user><Password type="plain">${SECRET}</Password></login>`,
    `--b\r\nContent-Disposition: form-data; name="passwd"\r\n\r\n${SECRET}\r\nline two ${SECRET}\r\n--b--`,
    `data: {"delta": {"access_token": "${SECRET}"}}\n\ndata: [DONE]`,
    `{'auth': '${SECRET}'}`,
  ])('are taken out of %s', (text) => {
    const clean = withoutNamedValues(text);
    expect(clean).not.toContain(SECRET);
    expect(clean).toContain('[redacted]');
  });

  test.each([
    '{"max_tokens": 100, "credential": "github", "note": "the password is elsewhere"}',
    'a=1&b=2',
    'https://x/?q=1',
    'Content-Type: text/plain',
    '<p>hello</p>',
    'if (password == null) { return token; }',
  ])('and nothing else is: %s', (text) => {
    expect(withoutNamedValues(text)).toBe(text);
  });

  test('leave JSON that is whole as JSON', () => {
    const clean = withoutNamedValues(JSON.stringify({ token: 'x', list: [{ secret: 'y"z' }], ok: true }));
    expect(JSON.parse(clean)).toEqual({ token: '[redacted]', list: [{ secret: '[redacted]' }], ok: true });
  });

  test('are found in linear time, whatever the text is', () => {
    for (const piece of [
      '"a":',
      '"token":"',
      '\\"',
      '=a=',
      '<a>',
      'name="a"\r\n',
      'token=',
      '"token":\\\\\\"',
      'a: ',
    ]) {
      const text = piece.repeat(200_000 / piece.length);
      const began = performance.now();
      withoutNamedValues(text);
      expect(performance.now() - began).toBeLessThan(2_000);
    }
  });

  test('of any JSON are gone, wherever they stand', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.stringMatching(/^[ -~]{4,30}$/), (around, secret) => {
        fc.pre(!JSON.stringify(around).includes(secret.slice(1, 4)));
        const text = JSON.stringify({
          around,
          inside: { password: secret },
          nested: JSON.stringify({ token: secret }),
        });
        expect(withoutNamedValues(text)).not.toContain(JSON.stringify(secret).slice(1, -1));
      }),
      { numRuns: rounds(300) },
    );
  });
});
