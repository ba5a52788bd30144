import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Header } from '../http-message.ts';
import { readRequests, readResponse } from './cases/portions.fixture.ts';
import { type ByteOutput, ChunkedWriter } from './chunked-writer.ts';
import { type WrittenFraming, writeRequestHead, writeResponseHead } from './write-head.ts';

const TOKEN = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const name = fc
  .string({ unit: fc.constantFrom(...TOKEN), minLength: 1, maxLength: 20 })
  .map((text) => `x-${text}`);
const visible = fc.integer({ min: 0x21, max: 0xff }).filter((code) => code !== 0x7f);
const value = fc
  .array(fc.oneof(visible, fc.constantFrom(0x20, 9)), { maxLength: 30 })
  .map((codes) => String.fromCharCode(...codes).replace(/^[ \t]+|[ \t]+$/g, ''));
const headers: fc.Arbitrary<Header[]> = fc.array(fc.tuple(name, value), { maxLength: 12 });
const target = fc
  .array(
    fc.integer({ min: 0x21, max: 0x7e }).filter((code) => code !== 0x23),
    { maxLength: 30 },
  )
  .map((codes) => `/${String.fromCharCode(...codes)}`);
const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 });
const borders = fc.array(fc.nat({ max: 60 }), { maxLength: 20 }).map((steps) => {
  let at = 0;
  return steps.map((step) => {
    at += step;
    return at;
  });
});

class Collected implements ByteOutput {
  text = '';
  write(data: Uint8Array | string): boolean {
    this.text += typeof data === 'string' ? data : Buffer.from(data).toString('latin1');
    return true;
  }
  cork(): void {}
  uncork(): void {}
}

function written(
  head: string,
  body: readonly Uint8Array[],
  framing: WrittenFraming,
  trailers: Header[],
): Buffer {
  const output = new Collected();
  output.write(head);
  if (framing === 'chunked') {
    const writer = new ChunkedWriter(output);
    for (const piece of body) writer.write(piece);
    writer.end(trailers);
  } else for (const piece of body) output.write(piece);
  return Buffer.from(output.text, 'latin1');
}

const bytesOf = (body: readonly Uint8Array[]): string => Buffer.concat(body).toString('latin1');

describe('what is written is read back as it was', () => {
  test('requests', () => {
    fc.assert(
      fc.property(
        name,
        target,
        headers,
        pieces,
        fc.boolean(),
        borders,
        (method, path, fields, body, isChunked, cuts) => {
          const framing = isChunked ? 'chunked' : { bytes: Buffer.concat(body).length };
          const trailers: Header[] = isChunked ? fields.slice(0, 2) : [];
          const head = writeRequestHead({
            method,
            target: path,
            host: 'a.example:81',
            headers: fields,
            body: framing,
          });
          const { requests, refused } = readRequests(written(head, body, framing, trailers), 'server', cuts);
          expect(refused).toBeUndefined();
          expect(requests).toHaveLength(1);
          const [read] = requests;
          expect(read?.head).toMatchObject({
            method,
            target: path,
            authority: { host: 'a.example', port: 81 },
          });
          expect(read?.head.headers.slice(1, -1)).toEqual(fields);
          expect(read?.body).toBe(bytesOf(body));
          expect(read?.trailers).toEqual(trailers);
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  test('responses', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 599 }),
        headers,
        pieces,
        fc.boolean(),
        borders,
        (status, fields, body, isChunked, cuts) => {
          fc.pre(status !== 204 && status !== 304);
          const framing = isChunked ? 'chunked' : { bytes: Buffer.concat(body).length };
          const head = writeResponseHead({ status, headers: fields, body: framing, keepAlive: true });
          const read = readResponse(written(head, body, framing, []), {}, cuts);
          expect(read.refused).toBeUndefined();
          expect(read.head).toMatchObject({ status, keepAlive: true });
          expect(read.head?.headers.slice(0, -1)).toEqual(fields);
          expect(read.body).toBe(bytesOf(body));
          expect(read.trailers).toEqual([]);
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});

describe('[NE-5] nothing is written that another reader could take for two messages', () => {
  const base = { method: 'GET', target: '/', host: 'a.example', headers: [], body: 'given' as const };
  test.each<[string, Partial<Parameters<typeof writeRequestHead>[0]>]>([
    ['a line break in a value', { headers: [['X', 'a\r\nEvil: 1']] }],
    ['a bare LF in a value', { headers: [['X', 'a\nEvil: 1']] }],
    ['a NUL in a value', { headers: [['X', 'a\0']] }],
    ['a character beyond latin1, which would be cut to a line feed', { headers: [['X', 'a\u010aEvil: 1']] }],
    ['a line break in a name', { headers: [['X\r\nEvil', 'a']] }],
    ['an empty name', { headers: [['', 'a']] }],
    ['a line break in the Host', { host: 'a\r\nX: 1' }],
    ['a blank in the target', { target: '/ HTTP/1.1' }],
    ['a line break in the target', { target: '/\r\n' }],
    ['a target beyond latin1', { target: '/\u0120' }],
    ['an empty target', { target: '' }],
    ['a blank in the method', { method: 'GET /' }],
    ['an encoding of their own', { headers: [['Transfer-Encoding', 'chunked']] }],
    [
      'two lengths',
      {
        headers: [
          ['Content-Length', '1'],
          ['content-length', '1'],
        ],
      },
    ],
    ['a length beside chunks', { headers: [['Content-Length', '1']], body: 'chunked' }],
    ['a length beside ours', { headers: [['Content-Length', '1']], body: { bytes: 1 } }],
    ['a Connection of their own', { headers: [['Connection', 'close']] }],
  ])('%s', (_why, over) => {
    expect(() => writeRequestHead({ ...base, ...over })).toThrow(/unwritable/);
  });

  test('a response neither', () => {
    const response = {
      status: 200,
      headers: [['X', 'a\r\n\r\nHTTP/1.1 200 OK']],
      body: 'given',
      keepAlive: true,
    } as const;
    expect(() => writeResponseHead(response)).toThrow(/unwritable/);
  });
});
