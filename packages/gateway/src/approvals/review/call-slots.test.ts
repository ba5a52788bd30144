import { expect, test } from 'vitest';
import { CallSlots } from './call-slots.ts';

const NEVER = new AbortController().signal;

function held() {
  const gate = Promise.withResolvers<void>();
  let most = 0;
  let now = 0;
  const call = async (): Promise<string> => {
    now += 1;
    most = Math.max(most, now);
    await gate.promise;
    now -= 1;
    return 'done';
  };
  return { call, open: gate.resolve, most: () => most, now: () => now };
}

test('at most four calls of a tenant run at once, and the others get their turn', async () => {
  const slots = new CallSlots();
  const { call, open, most } = held();
  const all = Array.from({ length: 20 }, () => slots.run('a', NEVER, call));
  open();
  expect(await Promise.all(all)).toEqual(Array(20).fill('done'));
  expect(most()).toBe(4);
});

test('a tenant with a full queue takes nothing from another', async () => {
  const slots = new CallSlots();
  const { call, open } = held();
  const all = Array.from({ length: 68 }, () => slots.run('a', NEVER, call));
  expect(await slots.run('a', NEVER, call)).toBeUndefined();
  expect(await slots.run('b', NEVER, async () => 'b')).toBe('b');
  open();
  expect(await Promise.all(all)).toEqual(Array(68).fill('done'));
});

test('whoever leaves while it waits never runs, and blocks nobody', async () => {
  const slots = new CallSlots();
  const { call, open } = held();
  const running = Array.from({ length: 4 }, () => slots.run('a', NEVER, call));
  const leaving = new AbortController();
  let ran = false;
  const left = slots.run('a', leaving.signal, async () => {
    ran = true;
  });
  const next = slots.run('a', NEVER, async () => 'next');
  leaving.abort();
  expect(await left).toBeUndefined();
  open();
  await Promise.all(running);
  expect(await next).toBe('next');
  expect(ran).toBe(false);
});

test('a call that fails gives its place back', async () => {
  const slots = new CallSlots();
  for (let round = 0; round < 10; round += 1)
    await expect(slots.run('a', NEVER, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.run('a', NEVER, async () => 'yes')).toBe('yes');
});
