import { FakeClock } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { EventBudget } from './event-budget.ts';

test('[NE-8] a flood leaves so many events, and the next one says how many were left out', () => {
  const clock = new FakeClock();
  const budget = new EventBudget(clock, { atOnce: 3, aSecond: 2 });
  const counts = Array.from({ length: 100 }, () => budget.count());
  expect(counts.filter((count) => count !== undefined)).toEqual([0, 0, 0]);
  clock.advance(1_000);
  expect([budget.count(), budget.count(), budget.count()]).toEqual([97, 0, undefined]);
  clock.advance(3_600_000);
  expect([budget.count(), budget.count(), budget.count(), budget.count()]).toEqual([1, 0, 0, undefined]);
});
