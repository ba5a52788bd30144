import type { JsonObject } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import type { Clock } from '../../shared/clock.ts';
import type {
  CodeSpace,
  Codes,
  Coordination,
  CounterSpace,
  Counters,
  Lease,
  Leases,
  OneTime,
  OneTimeSpace,
  SlidingCounters,
  SlidingSpace,
  WakeUps,
} from '../coordination.ts';
import { WakeListeners } from '../wake-listeners.ts';
import { MemoryCodes } from './memory-codes.ts';
import { MemoryCounters, MemoryMinutes, MemorySlidingCounters } from './memory-counters.ts';
import { MemoryOneTime } from './memory-one-time.ts';

/** For a gateway that is alone with its store: everything is known at once, and a restart forgets it. */
export class MemoryCoordination implements Coordination {
  readonly leases: Leases;
  readonly wakeUps: WakeUps;
  readonly #clock: Clock;
  readonly #spaces = new Map<string, unknown>();

  /** `onProblem` is told what a listener of a wake-up throws. */
  constructor(clock: Clock, onProblem: (error: unknown) => void = () => {}) {
    this.#clock = clock;
    this.leases = new MemoryLeases(clock);
    const listeners = new WakeListeners(onProblem);
    this.wakeUps = {
      wake: (topic, key) => listeners.tell(topic, [key]),
      listen: (topic, listener) => listeners.add(topic, listener),
    };
  }

  counters(space: CounterSpace): Counters {
    return this.#space('counters', space, () => countersOf(this.#clock, space));
  }

  slidingCounters(space: SlidingSpace): SlidingCounters {
    return this.#space('sliding', space, () => new MemorySlidingCounters(this.#clock, space));
  }

  oneTime(space: OneTimeSpace): OneTime {
    return this.#space('one-time', space, () => new MemoryOneTime(this.#clock, space));
  }

  codes<Value extends JsonObject>(space: CodeSpace): Codes<Value> {
    return this.#space('codes', space, () => new MemoryCodes<Value>(this.#clock, space));
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  #space<T>(kind: string, { name }: { readonly name: string }, make: () => T): T {
    const key = `${kind} ${name}`;
    // `as`: a key has one kind, and whoever names a space says what it holds.
    const known = this.#spaces.get(key) as T | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.#spaces.set(key, made);
    return made;
  }
}

function countersOf(clock: Clock, space: CounterSpace): Counters {
  switch (space.over) {
    case 'window':
    case 'total':
      return new MemoryCounters(clock, space);
    case 'minutes':
      return new MemoryMinutes(clock, space);
    default:
      return assertNever(space.over);
  }
}

class MemoryLeases implements Leases {
  readonly #clock: Clock;
  /** one for each job that there is, so no more than the code names */
  readonly #held = new Map<string, { readonly fence: number; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(name: string, ms: number): Lease | undefined {
    const before = this.#held.get(name);
    if (before !== undefined && before.until > this.#clock.now()) return undefined;
    const held = { fence: (before?.fence ?? 0) + 1, until: this.#clock.now() + ms };
    this.#held.set(name, held);
    const isOurs = (): boolean => this.isHeld(name, held.fence);
    return {
      fence: held.fence,
      renew: () => {
        if (!isOurs()) return false;
        held.until = this.#clock.now() + ms;
        return true;
      },
      // Kept, so that the next number is a larger one.
      release: () => {
        held.until = 0;
      },
    };
  }

  isHeld(name: string, fence: number): boolean {
    const held = this.#held.get(name);
    return held?.fence === fence && held.until > this.#clock.now();
  }
}
