import type { Action } from '@sallyport/protocol';
import type {
  Counters as CallCounts,
  Coordination,
  SlidingCounters,
  Soon,
} from '../../coordination/index.ts';
import { rateLimitsFor } from '../layers/rate.ts';
import type { CompiledPolicy } from '../policy/compiled-policy.ts';
import type { Counters } from '../policy/snapshot.ts';

const KEPT_AT_MOST = 10_000;
const HOUR_MS = 3_600_000;
/** Longer than a run goes on without a call. */
const EXECUTION_MS = 7 * 24 * HOUR_MS;

const EXECUTIONS = { name: 'gate.execution', keys: KEPT_AT_MOST, over: 'total', ms: EXECUTION_MS } as const;
const HOURS = { name: 'gate.hour', keys: KEPT_AT_MOST, over: 'minutes', ms: HOUR_MS } as const;
const WINDOWS = { name: 'gate.window', keys: KEPT_AT_MOST };

/**
 * Counts calls, refused ones too.
 *
 * Windows belong to the agent, so that a new session resets nothing. An execution that somebody named has its own
 * count; calls outside of one count for the agent over the last hour, for the same reason.
 *
 * What a limit holds is counted for all gateways together, and is a promise where another process must be asked. What
 * nothing limits is counted here alone, for the trail: it must not wait for anybody.
 */
export class RateCounters {
  readonly #shared: CallsOf;
  readonly #own: CallsOf;
  readonly #windows: SlidingCounters;

  /** `own`: of this process alone, where `shared` is not. */
  constructor(shared: Coordination, own: Coordination = shared) {
    this.#shared = callsOf(shared);
    this.#own = own === shared ? this.#shared : callsOf(own);
    this.#windows = shared.slidingCounters(WINDOWS);
  }

  /** Counts this call, and returns the counts from before it: what `judge` compares with the limits. */
  count(action: Action, policy: CompiledPolicy): Soon<Counters> {
    const who = whoOf(action);
    const { execution } = action.actor;
    const { executions, hours } = this.#callsFor(action, policy);
    const calls = execution === undefined ? hours.add(who) : executions.add(`${who}/${execution}`);
    const windows = new Map<string, number>();
    let later: readonly Promise<unknown>[] | undefined;
    for (const limit of rateLimitsFor(policy, action)) {
      const count = this.#windows.add(`${who}/${limit.key}`, limit);
      if (typeof count === 'number') windows.set(limit.key, count);
      else later = [...(later ?? []), count.then((known) => windows.set(limit.key, known))];
    }
    return countersOf(calls, windows, later);
  }

  /** The counts as they are now, without the call itself, which was counted `agoMs` ago. Counts nothing. */
  peek(action: Action, policy: CompiledPolicy, agoMs: number): Soon<Counters> {
    const who = whoOf(action);
    const { execution } = action.actor;
    const { executions, hours } = this.#callsFor(action, policy);
    const calls =
      execution === undefined ? hours.read(who, agoMs) : executions.read(`${who}/${execution}`, agoMs);
    const windows = new Map<string, number>();
    let later: readonly Promise<unknown>[] | undefined;
    for (const limit of rateLimitsFor(policy, action)) {
      const count = this.#windows.read(`${who}/${limit.key}`, limit, agoMs);
      if (typeof count === 'number') windows.set(limit.key, count);
      else later = [...(later ?? []), count.then((known) => windows.set(limit.key, known))];
    }
    return countersOf(calls, windows, later);
  }

  #callsFor({ actor: { agent } }: Action, { agents }: CompiledPolicy): CallsOf {
    if (this.#own === this.#shared || agent === undefined) return this.#own;
    return agents.get(agent)?.maxCalls === undefined ? this.#own : this.#shared;
  }
}

interface CallsOf {
  readonly executions: CallCounts;
  readonly hours: CallCounts;
}

function callsOf(coordination: Coordination): CallsOf {
  return { executions: coordination.counters(EXECUTIONS), hours: coordination.counters(HOURS) };
}

function whoOf({ actor: { tenant, agent, client } }: Action): string {
  return `${tenant}/${agent ?? client ?? ''}`;
}

function countersOf(
  calls: Soon<number>,
  windows: ReadonlyMap<string, number>,
  later: readonly Promise<unknown>[] | undefined,
): Soon<Counters> {
  if (typeof calls === 'number' && later === undefined) return { executionCalls: calls, windows };
  return Promise.all([calls, ...(later ?? [])]).then(([executionCalls]) => ({ executionCalls, windows }));
}
