import type { Clock } from '../../shared/clock.ts';

/** So many events at once, then so many a second; and a count of those that found no room. */
export class EventBudget {
  readonly #clock: Clock;
  readonly #atOnce: number;
  readonly #aSecond: number;
  #since: number;
  #room: number;
  #left = 0;

  constructor(clock: Clock, options: { readonly atOnce: number; readonly aSecond: number }) {
    this.#clock = clock;
    this.#atOnce = options.atOnce;
    this.#aSecond = options.aSecond;
    this.#room = options.atOnce;
    this.#since = clock.now();
  }

  /** How many were left out since the last one that was not; undefined: this one is left out too. */
  count(): number | undefined {
    const now = this.#clock.now();
    const grown = (Math.max(0, now - this.#since) / 1_000) * this.#aSecond;
    this.#room = Math.min(this.#atOnce, this.#room + grown);
    this.#since = now;
    if (this.#room < 1) {
      this.#left += 1;
      return undefined;
    }
    this.#room -= 1;
    const left = this.#left;
    this.#left = 0;
    return left;
  }
}
