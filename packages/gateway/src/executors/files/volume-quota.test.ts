import { SallyportError } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import { VolumeQuota } from './volume-quota.ts';
import type { Usage } from './volume-storage.ts';

function setUp(bytes: number, held: Usage = { bytes: 0, entries: 0 }, takesMs = 0) {
  let now = 1_000_000;
  let current = held;
  let measured = 0;
  const quota = new VolumeQuota({
    volume: 'work',
    bytes,
    clock: { now: () => now },
    measure: async () => {
      measured += 1;
      now += takesMs;
      return current;
    },
  });
  return {
    quota,
    advance: (ms: number) => {
      now += ms;
    },
    hold: (usage: Usage) => {
      current = usage;
    },
    measured: () => measured,
  };
}

const one = (bytes: number): Usage => ({ bytes, entries: 1 });

async function isRefused(quota: VolumeQuota, change: Usage): Promise<boolean> {
  try {
    using _room = await quota.reserve(change);
    return false;
  } catch (error) {
    if (error instanceof SallyportError && error.code === 'QuotaExceeded') return true;
    throw error;
  }
}

test('room that is promised to one is not promised to another, until it is given back', async () => {
  const { quota } = setUp(100);
  {
    using _first = await quota.reserve(one(60));
    expect(await isRefused(quota, one(41))).toBe(true);
    expect(await isRefused(quota, one(40))).toBe(false);
  }
  expect(await isRefused(quota, one(100))).toBe(false);
});

test('what is committed stays counted, and what is more than promised is refused', async () => {
  const { quota, hold } = setUp(100);
  using first = await quota.reserve(one(60));
  first.commit(one(60));
  hold(one(60));
  using second = await quota.reserve(one(10));
  expect(() => second.commit(one(41))).toThrow(SallyportError);
  expect(await isRefused(quota, one(40))).toBe(false);
  expect(await isRefused(quota, one(41))).toBe(true);
});

test('many empty files are refused too: they fill a disk as well', async () => {
  const { quota } = setUp(1_024_000, { bytes: 0, entries: 10_999 });
  expect(await isRefused(quota, one(0))).toBe(false);
  const full = setUp(1_024_000, { bytes: 0, entries: 11_000 });
  expect(await isRefused(full.quota, one(0))).toBe(true);
  expect(await isRefused(full.quota, { bytes: 5, entries: 0 })).toBe(false);
});

test('a volume that takes long to measure is not measured for every refusal', async () => {
  const { quota, measured, advance, hold } = setUp(100, one(100), 500);
  expect(await isRefused(quota, one(1))).toBe(true);
  const once = measured();
  for (let round = 0; round < 50; round += 1) expect(await isRefused(quota, one(1))).toBe(true);
  expect(measured()).toBe(once);
  hold(one(0));
  advance(5_001);
  expect(await isRefused(quota, one(1))).toBe(false);
});

test('what is written while it is measured is counted, maybe twice, never not at all', async () => {
  const { quota, advance } = setUp(100, { bytes: 0, entries: 0 }, 500);
  using first = await quota.reserve(one(50));
  advance(61_000);
  const second = quota.reserve(one(51));
  first.commit(one(50));
  await expect(second).rejects.toThrow(SallyportError);
});

test('a measurement that fails lets nothing be written', async () => {
  const quota = new VolumeQuota({
    volume: 'work',
    bytes: 100,
    clock: { now: () => 0 },
    measure: () => Promise.reject(new SallyportError('Unavailable')),
  });
  await expect(quota.reserve(one(1))).rejects.toMatchObject({ code: 'Unavailable' });
});
