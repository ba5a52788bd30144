import { expect, test } from 'vitest';
import { createStayAwake } from './stay-awake.ts';

function loop(cores = 2) {
  let now = 1_000;
  let waiting: (() => void)[] = [];
  const stayAwake = createStayAwake({
    now: () => now,
    nextTurn: (callBack) => void waiting.push(callBack),
    cores,
  });
  return {
    stayAwake,
    turning: () => waiting.length,
    turnAfter(ms: number) {
      now += ms;
      const due = waiting;
      waiting = [];
      for (const callBack of due) callBack();
    },
  };
}

test('turns for half a millisecond, then sleeps', () => {
  const { stayAwake, turning, turnAfter } = loop();
  stayAwake();
  expect(turning()).toBe(1);
  for (let turn = 0; turn < 4; turn += 1) turnAfter(0.1);
  expect(turning()).toBe(1);
  turnAfter(0.2);
  expect(turning()).toBe(0);
});

test('goes on from the last call, and is never there twice', () => {
  const { stayAwake, turning, turnAfter } = loop();
  for (let call = 0; call < 100; call += 1) stayAwake();
  expect(turning()).toBe(1);
  turnAfter(0.4);
  stayAwake();
  turnAfter(0.4);
  expect(turning()).toBe(1);
  turnAfter(0.2);
  expect(turning()).toBe(0);
  // and once more after it slept
  stayAwake();
  expect(turning()).toBe(1);
});

test('leaves a single core to those whom it waits for', () => {
  const { stayAwake, turning } = loop(1);
  stayAwake();
  expect(turning()).toBe(0);
});
