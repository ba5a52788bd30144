import type { JsonObject } from '@sallyport/protocol';

/** At once where the state is in this process, later where a server is asked. A rejection means: nobody can say. */
export type Soon<T> = T | Promise<T>;

/**
 * State that several gateways share. In one process it is memory; where gateways share a Postgres it is there.
 *
 * Contract, whatever keeps it:
 * - One `name` is one state: whoever opens a space with it, at whatever gateway, has the same counts, names, codes.
 * - Everything expires and is bounded. The clock is the one that was handed in (memory) or the server's (Postgres), so
 *   that clocks that differ between gateways change nothing.
 * - When the state cannot be reached, an operation rejects with `Unavailable`, and its caller refuses. Two do not:
 *   `WakeUps.wake` is a hint beside a row that is read anyway, and the end of a lease comes by itself.
 */
export interface Coordination extends AsyncDisposable {
  counters(space: CounterSpace): Counters;
  slidingCounters(space: SlidingSpace): SlidingCounters;
  oneTime(space: OneTimeSpace): OneTime;
  codes<Value extends JsonObject>(space: CodeSpace): Codes<Value>;
  readonly leases: Leases;
  readonly wakeUps: WakeUps;
  close(): Promise<void>;
}

export interface CounterSpace {
  /** dotted, the folder first: `gate.hour` */
  readonly name: string;
  /** how many keys are kept; the one that was counted longest ago is forgotten first */
  readonly keys: number;
  /**
   * What is counted together: `window` begins with a key's first count and lasts `ms`; `minutes` is the last `ms`, by
   * whole minutes; `total` is everything, until nothing was counted for `ms`.
   */
  readonly over: 'window' | 'minutes' | 'total';
  readonly ms: number;
}

export interface Counters {
  /** Counts one more and gives the count from before it. Two that count at the same moment get different answers. */
  add(key: string): Soon<number>;
  /** The count. With `ownAgoMs` without the one that its caller added so long ago. */
  read(key: string, ownAgoMs?: number): Soon<number>;
}

export type SlidingSpace = Pick<CounterSpace, 'name' | 'keys'>;

/** A window that moves with the time. */
export interface SlidingLimit {
  readonly windowMs: number;
  /** more than this need not be told apart: it bounds what is kept of a key */
  readonly calls: number;
}

/** As `Counters`, to the millisecond, each key with a limit of its own. */
export interface SlidingCounters {
  add(key: string, limit: SlidingLimit): Soon<number>;
  read(key: string, limit: SlidingLimit, ownAgoMs?: number): Soon<number>;
}

export interface OneTimeSpace {
  readonly name: string;
  /** how long a name is remembered, at least */
  readonly ms: number;
  /** names of one group that may be remembered; more are refused, never forgotten */
  readonly most: number;
}

/** Names that count once: nonces, ids of messages. */
export interface OneTime {
  /**
   * `new` for one caller among all gateways, `seen` for every other.
   *
   * SECURITY: `full`, and a rejection, mean that nobody can say; the answer must be no.
   */
  take(name: string, group?: string): Soon<'new' | 'seen' | 'full'>;
}

export interface CodeSpace {
  readonly name: string;
  readonly ms: number;
  readonly most: number;
  /** what happens to one more than `most`: it is not taken, or the oldest goes */
  readonly whenFull: 'refuse' | 'forget-oldest';
}

/** Short-lived secrets or marks with something behind them, each good once. Postgres keeps a hash of the name. */
export interface Codes<Value extends JsonObject> {
  /** Keeps it for `ms` of the space, in the place of what it had under that name. */
  keep(name: string, value: Value): Soon<'kept' | 'full'>;
  peek(name: string): Soon<Value | undefined>;
  /** What it stands for, to one caller among all gateways; to all others, and after its time, nothing. */
  take(name: string): Soon<Value | undefined>;
}

/** Who does a job that one gateway does for all. */
export interface Leases {
  /** The lease, for `ms`, unless another has it. Whoever is killed loses it when its time is over. */
  take(name: string, ms: number): Soon<Lease | undefined>;
  /** Whether the holder with this number still has it: asked where something is written that a late holder must not write. */
  isHeld(name: string, fence: number): Soon<boolean>;
}

export interface Lease {
  /** larger each time that the lease is taken: what comes with a smaller one is from a holder that lost it */
  readonly fence: number;
  /** `ms` from now on. False when it was lost; it does not come back. */
  renew(): Soon<boolean>;
  release(): Soon<void>;
}

/** What changed; `all`: something may have been missed, so look at everything. */
export type Woken = readonly string[] | 'all';

/**
 * Tells every gateway, this one too, that something was decided.
 *
 * INVARIANT: a hint, never the message: whoever is woken reads the row. A waiter looks at its row now and then by itself,
 * so that a hint that was lost costs time and nothing else.
 */
export interface WakeUps {
  /** Call it when the row is stored. Never throws. */
  wake(topic: string, key: string): void;
  /** Returns how to stop. */
  listen(topic: string, listener: (woken: Woken) => void): () => void;
}
