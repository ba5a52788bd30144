import { describe, expect, test } from 'vitest';
import { MemoryCoordination } from '../coordination/index.ts';
import { AttemptLimiter, attemptSpace } from './attempt-limiter.ts';

function limiter(maxKeys = 100) {
  const time = { now: 0 };
  const limit = { failures: 3, windowMs: 1_000, maxKeys };
  const clock = { now: () => time.now };
  const counters = new MemoryCoordination(clock).counters(attemptSpace('test', limit));
  return { time, limiter: new AttemptLimiter(limit, clock, counters) };
}

function fail(target: AttemptLimiter, key: string, times: number): void {
  for (let i = 0; i < times; i += 1) void target.fail(key);
}

describe('AttemptLimiter', () => {
  test('a key is exhausted by its own failures only', () => {
    const { limiter: it } = limiter();
    fail(it, 'a', 2);
    expect(it.isExhausted('a')).toBe(false);
    fail(it, 'a', 1);
    expect(it.isExhausted('a')).toBe(true);
    expect(it.isExhausted('b')).toBe(false);
  });

  test('failures are forgotten when their window is over, and not before', () => {
    const { limiter: it, time } = limiter();
    fail(it, 'a', 3);
    time.now = 999;
    expect(it.isExhausted('a')).toBe(true);
    time.now = 1_000;
    expect(it.isExhausted('a')).toBe(false);
    fail(it, 'a', 2);
    expect(it.isExhausted('a')).toBe(false);
  });

  test('a window is announced once', () => {
    const { limiter: it, time } = limiter();
    expect(it.announce('a')).toBe(false);
    fail(it, 'a', 3);
    expect([it.announce('a'), it.announce('a')]).toEqual([true, false]);
    time.now = 1_000;
    fail(it, 'a', 1);
    expect(it.announce('a')).toBe(true);
  });

  test('a flood of keys takes bounded memory and pushes out the oldest first', () => {
    const { limiter: it } = limiter(100);
    fail(it, 'old', 3);
    for (let i = 0; i < 99; i += 1) void it.fail(`flood-${i}`);
    expect(it.isExhausted('old')).toBe(true);
    for (let i = 0; i < 10_000; i += 1) void it.fail(`more-${i}`);
    expect(it.isExhausted('old')).toBe(false);
  });
});
