import type { Counters, Soon } from '../coordination/index.ts';
import type { Clock } from '../shared/clock.ts';

export interface AttemptLimit {
  /** failures that one key may have in a window of `counters` */
  readonly failures: number;
  readonly windowMs: number;
  /** keys remembered at once; the oldest is forgotten first */
  readonly maxKeys: number;
}

/** The form of counters that a limit needs. */
export function attemptSpace(name: string, { windowMs, maxKeys }: AttemptLimit) {
  return { name, keys: maxKeys, over: 'window', ms: windowMs } as const;
}

/** Counts failed attempts for each key in fixed windows, at all gateways together. Successes cost nothing. */
export class AttemptLimiter {
  readonly #limit: AttemptLimit;
  readonly #clock: Clock;
  readonly #counters: Counters;
  // process-local: each gateway says once in its own lines that a key is exhausted
  readonly #announced = new Map<string, number>();

  /** `counters`: of `attemptSpace`. */
  constructor(limit: AttemptLimit, clock: Clock, counters: Counters) {
    this.#limit = limit;
    this.#clock = clock;
    this.#counters = counters;
  }

  /** Whether the key has used up its failures. */
  isExhausted(key: string): Soon<boolean> {
    const count = this.#counters.read(key);
    return count instanceof Promise ? count.then((known) => this.#isOver(known)) : this.#isOver(count);
  }

  /** Counts one. False when the key had none left: it came together with others. */
  fail(key: string): Soon<boolean> {
    const before = this.#counters.add(key);
    return before instanceof Promise
      ? before.then((known) => this.#counted(key, known))
      : this.#counted(key, before);
  }

  /** True once for each window: so that a flood leaves one line in the trail and not a million. */
  announce(key: string): Soon<boolean> {
    const count = this.#counters.read(key);
    return count instanceof Promise
      ? count.then((known) => this.#isFirst(key, known))
      : this.#isFirst(key, count);
  }

  #isOver(count: number): boolean {
    // SECURITY: written this way round, a count that is no number is over the limit.
    return !(count < this.#limit.failures);
  }

  #counted(key: string, before: number): boolean {
    if (before === 0) this.#announced.delete(key);
    return !this.#isOver(before);
  }

  #isFirst(key: string, count: number): boolean {
    const now = this.#clock.now();
    const at = this.#announced.get(key);
    if (count === 0 || (at !== undefined && now - at < this.#limit.windowMs)) return false;
    this.#announced.delete(key);
    this.#announced.set(key, now);
    const oldest = this.#announced.keys().next();
    if (this.#announced.size > this.#limit.maxKeys && !oldest.done) this.#announced.delete(oldest.value);
    return true;
  }
}
