import type { Action } from '@sallyport/protocol';
import type { RateLimit } from '../compiled-policy.ts';
import type { Counters } from '../snapshot.ts';

const KEPT_AT_MOST = 10_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Counts calls, refused ones too, in bounded memory.
 *
 * Windows belong to the agent, so that a new session resets nothing. An execution that somebody named has its own
 * count; calls outside of one count for the agent over the last hour, for the same reason.
 */
export class RateCounters {
  readonly #executions = new Map<string, number>();
  readonly #hours = new Map<string, Map<number, number>>();
  readonly #windows = new Map<string, number[]>();

  /** Counts this call, and returns the counts from before it: what `judge` compares with the limits. */
  count(action: Action, limits: readonly RateLimit[], now: number): Counters {
    const { tenant, agent, client, execution } = action.actor;
    const who = `${tenant}/${agent ?? client ?? ''}`;
    const executionCalls =
      execution === undefined ? this.#countHour(who, now) : this.#countExecution(`${who}/${execution}`);
    const windows = new Map<string, number>();
    for (const limit of limits) windows.set(limit.key, this.#countWindow(`${who}/${limit.key}`, limit, now));
    return { executionCalls, windows };
  }

  /** The counts as they are at `now`, without the call that was counted at `countedAt`. Counts nothing. */
  peek(action: Action, limits: readonly RateLimit[], now: number, countedAt: number): Counters {
    const { tenant, agent, client, execution } = action.actor;
    const who = `${tenant}/${agent ?? client ?? ''}`;
    const windows = new Map<string, number>();
    for (const { key, windowMs } of limits) {
      const times = (this.#windows.get(`${who}/${key}`) ?? []).filter((time) => time > now - windowMs);
      windows.set(key, without(times.length, countedAt > now - windowMs));
    }
    if (execution !== undefined)
      return { executionCalls: without(this.#executions.get(`${who}/${execution}`) ?? 0, true), windows };
    const oldest = Math.floor(now / MINUTE_MS) - HOUR_MS / MINUTE_MS;
    let calls = 0;
    for (const [minute, count] of this.#hours.get(who) ?? []) if (minute > oldest) calls += count;
    return { executionCalls: without(calls, Math.floor(countedAt / MINUTE_MS) > oldest), windows };
  }

  #countExecution(key: string): number {
    const calls = this.#executions.get(key) ?? 0;
    keep(this.#executions, key, calls + 1);
    return calls;
  }

  #countHour(who: string, now: number): number {
    const minutes = this.#hours.get(who) ?? new Map<number, number>();
    const minute = Math.floor(now / MINUTE_MS);
    let calls = 0;
    for (const [at, count] of minutes) {
      if (at <= minute - HOUR_MS / MINUTE_MS) minutes.delete(at);
      else calls += count;
    }
    const before = minutes.get(minute);
    minutes.set(minute, (before ?? 0) + 1);
    // Once a minute is often enough to count as used: to move an entry to the end costs a new table now and then.
    if (before === undefined) keep(this.#hours, who, minutes);
    return calls;
  }

  #countWindow(key: string, limit: RateLimit, now: number): number {
    const times = (this.#windows.get(key) ?? []).filter((time) => time > now - limit.windowMs);
    const calls = times.length;
    // A flood of refused calls must not grow the list: what is over the limit is over the limit.
    if (calls <= limit.calls) times.push(now);
    else times[calls - 1] = now;
    keep(this.#windows, key, times);
    return calls;
  }
}

/** Sets and makes newest; drops the oldest when there are too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= KEPT_AT_MOST) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}

/** The call itself is not one of the calls before it. */
function without(count: number, own: boolean): number {
  return own ? Math.max(0, count - 1) : count;
}
