import { expect, test } from 'vitest';
import { ReplayGuard } from './replay-guard.ts';

test('[TO-6] a nonce is new once, for longer than an envelope can be valid', () => {
  const guard = new ReplayGuard(0);
  expect(guard.take('a', 10)).toBe('new');
  for (const later of [10, 1_000, 59_999, 60_010, 61_000, 70_010])
    expect(guard.take('a', later)).toBe('seen');
});

test('[TO-6] a clock that is set back does not make it forget', () => {
  const guard = new ReplayGuard(1_000_000);
  expect(guard.take('a', 1_000_000)).toBe('new');
  expect(guard.take('a', 900_000)).toBe('seen');
  expect(guard.take('a', 1_000_001)).toBe('seen');
});

test('it is bounded: what does not fit is refused until time has passed', () => {
  const guard = new ReplayGuard(0, 2);
  expect([guard.take('a', 1), guard.take('b', 1), guard.take('c', 1), guard.take('a', 1)]).toEqual([
    ...['new', 'new', 'full', 'seen'],
  ]);
  expect(guard.take('c', 61_001)).toBe('new');
  expect(guard.take('a', 61_002)).toBe('seen');
  expect(guard.take('a', 200_000)).toBe('new');
});
