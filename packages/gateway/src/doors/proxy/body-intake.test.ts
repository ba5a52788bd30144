import { describe, expect, test } from 'vitest';
import { BodyIntake } from './body-intake.ts';
import type { Incoming } from './incoming.ts';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(MIB);

/** A client that sends pieces as long as it is asked for more. */
function opened(pieces: number): BodyIntake {
  let left = pieces;
  let isAsked = false;
  const incoming = {
    hasBody: true,
    bodyBytes: undefined,
    signal: new AbortController().signal,
    listener: undefined as Incoming['listener'],
    resume(): void {
      isAsked = true;
      setImmediate(next);
    },
    pause(): void {
      isAsked = false;
    },
  };
  const next = (): void => {
    if (!isAsked) return;
    if (left === 0) {
      isAsked = false;
      incoming.listener?.onBodyEnd([]);
      return;
    }
    left -= 1;
    incoming.listener?.onBody(PIECE);
    setImmediate(next);
  };
  // Only what a body needs of a request.
  return new BodyIntake(incoming as unknown as Incoming, 1_000, (trailers) => trailers);
}

describe('a body that must be read whole', () => {
  test('is read to its end, or not at all when it is too long', async () => {
    const [short, long] = [opened(3), opened(40)];
    await Promise.all([short.preview(1_000), long.preview(1_000)]);
    expect(await short.readOn(32 * MIB, 1_000)).toBe(true);
    expect(short.bytes).toBe(3 * MIB);
    expect(await long.readOn(32 * MIB, 1_000)).toBe(false);
    expect(long.bytes).toBeLessThanOrEqual(33 * MIB);
    await Promise.all([short.close(), long.close()]);
  });

  test('bodies together hold no more than their room, and give it back', async () => {
    const all = Array.from({ length: 20 }, () => opened(31));
    await Promise.all(all.map((intake) => intake.preview(1_000)));
    const read = await Promise.all(all.map((intake) => intake.readOn(32 * MIB, 1_000)));
    expect(read).toContain(false);
    expect(all.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(300 * MIB);
    await Promise.all(all.map((intake) => intake.close()));
    const next = opened(31);
    await next.preview(1_000);
    expect(await next.readOn(32 * MIB, 1_000)).toBe(true);
    await next.close();
  });
});
