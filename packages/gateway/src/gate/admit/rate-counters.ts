import type { Action } from '@sallyport/protocol';
import type { RateLimit } from '../compiled-policy.ts';
import type { Counters } from '../snapshot.ts';

const EXECUTIONS_AT_MOST = 10_000;
const WINDOWS_AT_MOST = 10_000;

/**
 * Counts calls, refused ones too. Counters are kept by agent as well as by execution, so that a new session
 * resets nothing; the oldest are dropped when there are too many, so that memory is bounded.
 */
export class RateCounters {
  readonly #executions = new Map<string, number>();
  readonly #windows = new Map<string, number[]>();

  /** Counts this call, and returns the counts from before it: what `judge` compares with the limits. */
  count(action: Action, limits: readonly RateLimit[], now: number): Counters {
    const { actor } = action;
    const execution = `${actor.tenant}/${actor.agent ?? actor.client ?? ''}/${actor.execution ?? actor.session ?? ''}`;
    const executionCalls = this.#executions.get(execution) ?? 0;
    this.#executions.delete(execution);
    this.#executions.set(execution, executionCalls + 1);
    dropOldest(this.#executions, EXECUTIONS_AT_MOST);

    const windows = new Map<string, number>();
    for (const limit of limits) {
      const key = `${actor.tenant}/${actor.agent ?? ''}/${limit.key}`;
      const times = (this.#windows.get(key) ?? []).filter((time) => time > now - limit.windowMs);
      windows.set(limit.key, times.length);
      // A flood of refused calls must not grow the list: what is over the limit is over the limit.
      if (times.length <= limit.calls) times.push(now);
      else times[times.length - 1] = now;
      this.#windows.delete(key);
      this.#windows.set(key, times);
    }
    dropOldest(this.#windows, WINDOWS_AT_MOST);
    return { executionCalls, windows };
  }
}

function dropOldest(map: Map<string, unknown>, atMost: number): void {
  if (map.size <= atMost) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
