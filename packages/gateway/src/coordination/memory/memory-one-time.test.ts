import { expect, test } from 'vitest';
import { MemoryOneTime } from './memory-one-time.ts';

/** As the SEAL door has it: longer than an envelope can be valid. */
function guard(start: number, most = 65_536) {
  let now = start;
  const names = new MemoryOneTime({ now: () => now }, { name: 'test', ms: 61_000, most });
  return (name: string, at: number) => {
    now = at;
    return names.take(name, 'worker');
  };
}

test('[TO-6] a nonce is new once, for longer than an envelope can be valid', () => {
  const take = guard(0);
  expect(take('a', 10)).toBe('new');
  for (const later of [10, 1_000, 59_999, 60_010, 61_000, 70_010]) expect(take('a', later)).toBe('seen');
});

test('[TO-6] a clock that is set back does not make it forget', () => {
  const take = guard(1_000_000);
  expect(take('a', 1_000_000)).toBe('new');
  expect(take('a', 900_000)).toBe('seen');
  expect(take('a', 1_000_001)).toBe('seen');
});

test('it is bounded: what does not fit is refused until time has passed', () => {
  const take = guard(0, 2);
  expect([take('a', 1), take('b', 1), take('c', 1), take('a', 1)]).toEqual(['new', 'new', 'full', 'seen']);
  expect(take('c', 61_001)).toBe('new');
  expect(take('a', 61_002)).toBe('seen');
  expect(take('a', 200_000)).toBe('new');
});
