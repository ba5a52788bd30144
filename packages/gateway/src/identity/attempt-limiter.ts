import type { Clock } from '../shared/clock.ts';

export interface AttemptLimit {
  /** failures that one key may have in a window */
  readonly failures: number;
  readonly windowMs: number;
  /** keys remembered at once; the oldest is forgotten first */
  readonly maxKeys: number;
}

interface Window {
  readonly startedAt: number;
  failures: number;
  announced: boolean;
}

/** Counts failed attempts for each key in fixed windows, in bounded memory. Successes cost nothing. */
export class AttemptLimiter {
  readonly #limit: AttemptLimit;
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(limit: AttemptLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Whether the key has used up its failures. */
  isExhausted(key: string): boolean {
    return (this.#current(key)?.failures ?? 0) >= this.#limit.failures;
  }

  fail(key: string): void {
    const window = this.#current(key);
    if (window !== undefined) {
      window.failures += 1;
      return;
    }
    // Deleted first: a Map keeps the old place of a key that is set again.
    this.#windows.delete(key);
    this.#windows.set(key, { startedAt: this.#clock.now(), failures: 1, announced: false });
    if (this.#windows.size > this.#limit.maxKeys) this.#forgetOldest();
  }

  /** True once for each window: so that a flood leaves one line in the trail and not a million. */
  announce(key: string): boolean {
    const window = this.#current(key);
    if (window === undefined || window.announced) return false;
    window.announced = true;
    return true;
  }

  get size(): number {
    return this.#windows.size;
  }

  #current(key: string): Window | undefined {
    const window = this.#windows.get(key);
    if (window === undefined) return undefined;
    return this.#clock.now() - window.startedAt < this.#limit.windowMs ? window : undefined;
  }

  #forgetOldest(): void {
    const oldest = this.#windows.keys().next();
    if (!oldest.done) this.#windows.delete(oldest.value);
  }
}
