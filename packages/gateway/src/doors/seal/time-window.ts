import type { Clock } from '../../shared/clock.ts';

const SKEW_MS = 30_000;

/** Which times an envelope may carry: half a minute around now, and after this process began. */
export class TimeWindow {
  readonly #clock: Clock;
  readonly #boot: number;

  constructor(clock: Clock, boot: number) {
    this.#clock = clock;
    this.#boot = boot;
  }

  /** Why this time is not accepted; undefined when it is. */
  problemWith(timestamp: string): string | undefined {
    const at = Date.parse(timestamp);
    const away = at - this.#clock.now();
    if (!(Math.abs(away) <= SKEW_MS)) {
      return `the envelope is ${Math.round(Math.abs(away) / 1000)} s ${away < 0 ? 'old' : 'ahead'}, and 30 s are allowed`;
    }
    // SECURITY: nonces of before are forgotten, so nothing of before is accepted [TO-6].
    return at <= this.#boot ? 'the envelope is from before the gateway started' : undefined;
  }
}
