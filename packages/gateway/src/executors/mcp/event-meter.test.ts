import { expect, test } from 'vitest';
import { EventMeter } from './event-meter.ts';

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
