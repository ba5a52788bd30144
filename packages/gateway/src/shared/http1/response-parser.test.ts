import { describe, expect, test } from 'vitest';
import { borderSets, readResponse } from './cases/portions.fixture.ts';
import { FRIENDLY_RESPONSES, HOSTILE_RESPONSES } from './cases/response-cases.ts';

describe('[NE-5] what a lying server sends is refused however the bytes are cut', () => {
  test.each(HOSTILE_RESPONSES)('$attack: $reason', ({ bytes, reason, method }) => {
    const buffer = Buffer.from(bytes, 'latin1');
    for (const borders of borderSets(buffer.length)) {
      const reading = readResponse(
        buffer,
        { ends: true, ...(method === undefined ? {} : { method }) },
        borders,
      );
      expect(reading.refused).toBe(reason);
      expect(reading.trailers).toBeUndefined();
    }
  });
});

test.each(FRIENDLY_RESPONSES)('reads $why', ({ bytes, read, why: _why, ...options }) => {
  const buffer = Buffer.from(bytes, 'latin1');
  for (const borders of borderSets(buffer.length)) {
    const { head, body, left, refused, trailers } = readResponse(buffer, options, borders);
    expect(refused).toBeUndefined();
    expect(trailers).toBeDefined();
    expect(`${head?.status} ${body} ${left} ${head?.keepAlive}`).toBe(read);
  }
});
