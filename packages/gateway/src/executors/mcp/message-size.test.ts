import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventMeter, LineSplitter } from './message-size.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

test('lines are the same however the bytes come in pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), fc.integer({ min: 1, max: 7 }), (texts, size) => {
      const lines = texts.map((text) => text.replaceAll('\n', '').toWellFormed());
      const all = bytes(lines.map((line) => `${line}\n`).join(''));
      const splitter = new LineSplitter(1_000_000);
      const found: string[] = [];
      for (let at = 0; at < all.length; at += size)
        found.push(...(splitter.push(all.subarray(at, at + size)) ?? []));
      expect(found).toEqual(lines);
    }),
  );
});

test.each([
  { why: 'in one piece', pieces: ['xxxxx\n'], at: 0 },
  { why: 'in pieces', pieces: ['xxx', 'xx\n'], at: 1 },
  { why: 'without an end', pieces: ['xxx', 'xx'], at: 1 },
  { why: 'after one that fits', pieces: ['xxxx\nxxxxx'], at: 0 },
])('a line that is longer than allowed is refused: $why', ({ pieces, at }) => {
  const splitter = new LineSplitter(4);
  expect(pieces.map((piece) => splitter.push(bytes(piece))).indexOf(undefined)).toBe(at);
});

test.each([
  { why: 'a whole answer counts as one', isStream: false, pieces: ['xxxxx\n\n', 'xxxxx'], fits: false },
  { why: 'an answer that fits', isStream: false, pieces: ['xxxxx', 'xxxxx'], fits: true },
  {
    why: 'each event of a stream counts by itself',
    isStream: true,
    pieces: ['xxxxx\n\nxxxxx\n\nxxxxx\n\n'],
    fits: true,
  },
  { why: 'also with CRLF', isStream: true, pieces: ['xxxxx\r\n\r\nxxxxx\r\n\r\nxxxxx'], fits: true },
  { why: 'one event of many lines', isStream: true, pieces: ['xxxxx\nxxxxx\nxx\n'], fits: false },
  { why: 'one line without end', isStream: true, pieces: ['xxxxx', 'xxxxx', 'x'], fits: false },
  { why: 'an empty line that is cut in two', isStream: true, pieces: ['xxxxxxxxx\n', '\nxxxxx'], fits: true },
])('$why', ({ isStream, pieces, fits }) => {
  const meter = new EventMeter(10, isStream);
  expect(pieces.every((piece) => meter.take(Buffer.from(piece)))).toBe(fits);
});
