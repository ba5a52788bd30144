import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, textOf } from './file-content.ts';

test('bytes come back from base64 as they were', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const { content } = textOf(Buffer.from(bytes), 'base64', true);
      expect(bytesOf(content, 'base64').equals(Buffer.from(bytes))).toBe(true);
    }),
  );
});

test('text that is cut anywhere is read up to its last whole character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(200), (text, at) => {
      const whole = Buffer.from(text);
      const piece = whole.subarray(0, at);
      const { content, bytesRead } = textOf(piece, 'utf8', piece.length === whole.length);
      expect(text.startsWith(content)).toBe(true);
      expect(piece.length - bytesRead).toBeLessThan(4);
      expect(whole.subarray(0, bytesRead).toString()).toBe(content);
    }),
  );
});

test.each([
  ['a byte that is no text', [0xff]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['half a surrogate pair', [0xed, 0xa0, 0x80]],
  ['a character that the file itself cuts', [0x61, 0xe2, 0x82]],
])('is not text: %s', (_why, bytes) => {
  expect(() => textOf(Buffer.from(bytes), 'utf8', true)).toThrow('not UTF-8');
});

test('a mark at the start of a file is part of it', () => {
  expect(textOf(Buffer.from([0xef, 0xbb, 0xbf, 0x61]), 'utf8', true)).toEqual({
    content: '\ufeffa',
    bytesRead: 4,
  });
});

test.each(['a', 'YQ', 'YQ=', 'YQ==\n', ' YQ==', 'YQ==YQ==', 'YR==', '-_-_', 'é'])(
  'is not base64: %j',
  (content) => {
    expect(() => bytesOf(content, 'base64')).toThrow('not base64');
  },
);
