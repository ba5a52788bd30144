import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationMs, formatDuration, parseDuration } from './duration.ts';

test.each([
  { text: '500ms', ms: 500 },
  { text: '30s', ms: 30_000 },
  { text: '15m', ms: 900_000 },
  { text: '1h', ms: 3_600_000 },
  { text: '1h30m', ms: 5_400_000 },
  { text: '7d', ms: 604_800_000 },
  { text: '1m500ms', ms: 60_500 },
])('$text is $ms ms', ({ text, ms }) => {
  expect(parseDuration(text)).toBe(ms);
  expect(durationMs(text)).toBe(ms);
});

test.each([
  { text: '', why: 'nothing' },
  { text: '0s', why: 'no time at all' },
  { text: '5', why: 'no unit' },
  { text: '-5s', why: 'negative' },
  { text: '1.5h', why: 'a fraction' },
  { text: '1 h', why: 'a blank' },
  { text: '1H', why: 'upper case' },
  { text: '30m1h', why: 'small before large' },
  { text: '1h1h', why: 'a unit twice' },
  { text: '1w', why: 'an unknown unit' },
  { text: '999999999d', why: 'longer than ten years' },
  { text: '1h\n', why: 'a line end' },
  { text: `${'1'.repeat(100)}s`, why: 'more digits than any time has' },
])('$text is no duration: $why', ({ text }) => {
  expect(parseDuration(text)).toBeUndefined();
  expect(() => durationMs(text)).toThrow(RangeError);
});

test('what is formatted is read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_650 * 86_400_000 }), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }),
  );
  expect(formatDuration(0)).toBe('0ms');
});
