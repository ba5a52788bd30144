/** Time as an input, so that tests and replays decide what time it is. */
export interface Clock {
  /** ms since epoch */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
