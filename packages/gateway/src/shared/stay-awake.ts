import { availableParallelism } from 'node:os';

/** for how long it is cheaper to look than to be woken, in `ms` */
const AWAKE_MS = 0.5;

export interface AwakeParts {
  now(): number;
  /** calls back in the next turn of the event loop */
  nextTurn(callBack: () => void): void;
  /** with one core whoever looks keeps those from running whom it waits for */
  readonly cores: number;
}

/**
 * Makes a function that keeps the event loop turning for half a millisecond, instead of sleeping until something comes.
 *
 * A program that answers at once is waited for several times in one small call, and to be woken takes a tenth of a
 * millisecond each time, a quarter of the call. Called again meanwhile, it goes on from then: there is never more than
 * one that turns.
 */
export function createStayAwake({ now, nextTurn, cores }: AwakeParts): () => void {
  let until = 0;
  let isTurning = false;
  const turn = (): void => {
    isTurning = now() < until;
    if (isTurning) nextTurn(turn);
  };
  return () => {
    if (cores < 2) return;
    until = now() + AWAKE_MS;
    if (isTurning) return;
    isTurning = true;
    nextTurn(turn);
  };
}

export const stayAwake: () => void = createStayAwake({
  now: () => performance.now(),
  nextTurn: setImmediate,
  cores: availableParallelism(),
});
