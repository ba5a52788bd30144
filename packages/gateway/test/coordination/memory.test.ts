import { FakeClock } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { MemoryCoordination } from '../../src/coordination/index.ts';
import { describeCoordinationContract } from './coordination.contract.ts';

describeCoordinationContract('Memory', async () => {
  const clock = new FakeClock();
  const one = new MemoryCoordination(clock);
  return {
    red: one,
    blue: one,
    advance: async (ms) => clock.advance(ms),
    close: () => one.close(),
  };
});

test('memory answers at once: no promise is made where nothing is waited for', () => {
  const it = new MemoryCoordination(new FakeClock());
  const limit = { windowMs: 1_000, calls: 1 };
  expect(it.counters({ name: 'c', keys: 1, over: 'minutes', ms: 60_000 }).add('a')).toBe(0);
  expect(it.slidingCounters({ name: 's', keys: 1 }).add('a', limit)).toBe(0);
  expect(it.oneTime({ name: 'o', ms: 1, most: 1 }).take('a')).toBe('new');
});

test('a flood of keys takes bounded memory and pushes out the oldest first', async () => {
  const it = new MemoryCoordination(new FakeClock());
  for (const over of ['window', 'minutes', 'total'] as const) {
    const counters = it.counters({ name: over, keys: 100, over, ms: 3_600_000 });
    await counters.add('old');
    for (let i = 0; i < 99; i += 1) await counters.add(`flood-${i}`);
    expect(counters.read('old')).toBe(1);
    await counters.add('one more');
    expect([counters.read('old'), counters.read('flood-0')]).toEqual([0, 1]);
  }
});

test('a clock that is set back makes no name new again', () => {
  const clock = new FakeClock(1_000_000);
  const names = new MemoryCoordination(clock).oneTime({ name: 'o', ms: 10_000, most: 10 });
  expect(names.take('n')).toBe('new');
  clock.advance(-500_000);
  expect(names.take('n')).toBe('seen');
});
