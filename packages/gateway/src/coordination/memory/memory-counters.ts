import type { Clock } from '../../shared/clock.ts';
import type { CounterSpace, Counters, SlidingCounters, SlidingLimit, SlidingSpace } from '../coordination.ts';

const MINUTE_MS = 60_000;

interface Entry {
  at: number;
  count: number;
}

/** Counts since the first one (`window`), or as long as they go on (`total`). */
export class MemoryCounters implements Counters {
  readonly #clock: Clock;
  readonly #space: CounterSpace;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock, space: CounterSpace) {
    this.#clock = clock;
    this.#space = space;
  }

  add(key: string): number {
    const now = this.#clock.now();
    const entry = this.#entries.get(key);
    if (entry === undefined || now - entry.at >= this.#space.ms) {
      keep(this.#entries, key, { at: now, count: 1 }, this.#space.keys);
      return 0;
    }
    if (this.#space.over === 'total') {
      entry.at = now;
      keep(this.#entries, key, entry, this.#space.keys);
    }
    entry.count += 1;
    return entry.count - 1;
  }

  read(key: string, ownAgoMs?: number): number {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#clock.now() - entry.at >= this.#space.ms) return 0;
    return without(entry.count, ownAgoMs !== undefined);
  }
}

/** Counts of the last `ms`, by whole minutes. */
export class MemoryMinutes implements Counters {
  readonly #clock: Clock;
  readonly #keys: number;
  readonly #minutes: number;
  readonly #entries = new Map<string, Map<number, number>>();

  constructor(clock: Clock, { keys, ms }: CounterSpace) {
    this.#clock = clock;
    this.#keys = keys;
    this.#minutes = ms / MINUTE_MS;
  }

  add(key: string): number {
    const minute = Math.floor(this.#clock.now() / MINUTE_MS);
    const minutes = this.#entries.get(key) ?? new Map<number, number>();
    let calls = 0;
    for (const [at, count] of minutes) {
      if (at <= minute - this.#minutes) minutes.delete(at);
      else calls += count;
    }
    const before = minutes.get(minute);
    minutes.set(minute, (before ?? 0) + 1);
    // Once a minute is often enough to count as used: to move an entry to the end costs a new table now and then.
    if (before === undefined) keep(this.#entries, key, minutes, this.#keys);
    return calls;
  }

  read(key: string, ownAgoMs?: number): number {
    const now = this.#clock.now();
    const oldest = Math.floor(now / MINUTE_MS) - this.#minutes;
    let calls = 0;
    for (const [minute, count] of this.#entries.get(key) ?? []) if (minute > oldest) calls += count;
    const isOwn = ownAgoMs !== undefined && Math.floor((now - ownAgoMs) / MINUTE_MS) > oldest;
    return without(calls, isOwn);
  }
}

/** Counts in windows that move with the time. */
export class MemorySlidingCounters implements SlidingCounters {
  readonly #clock: Clock;
  readonly #keys: number;
  readonly #times = new Map<string, number[]>();

  constructor(clock: Clock, { keys }: SlidingSpace) {
    this.#clock = clock;
    this.#keys = keys;
  }

  add(key: string, { windowMs, calls: limit }: SlidingLimit): number {
    const now = this.#clock.now();
    const times = (this.#times.get(key) ?? []).filter((time) => time > now - windowMs);
    const calls = times.length;
    // A flood of refused calls must not grow the list: what is over the limit is over the limit.
    if (calls <= limit) times.push(now);
    else times[calls - 1] = now;
    keep(this.#times, key, times, this.#keys);
    return calls;
  }

  read(key: string, { windowMs }: SlidingLimit, ownAgoMs?: number): number {
    const now = this.#clock.now();
    const times = (this.#times.get(key) ?? []).filter((time) => time > now - windowMs);
    return without(times.length, ownAgoMs !== undefined && ownAgoMs < windowMs);
  }
}

/** Sets and makes newest; drops the oldest when there are too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}

/** The call itself is not one of the calls before it. */
function without(count: number, own: boolean): number {
  return own ? Math.max(0, count - 1) : count;
}
