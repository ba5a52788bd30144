import type { Clock } from '../../shared/clock.ts';
import type { OneTime, OneTimeSpace } from '../coordination.ts';

/** Two generations: each is forgotten as a whole, when its youngest name is older than `ms`. */
interface Generations {
  current: Set<string>;
  previous: Set<string>;
  since: number;
}

export class MemoryOneTime implements OneTime {
  readonly #clock: Clock;
  readonly #space: OneTimeSpace;
  readonly #groups = new Map<string, Generations>();
  #tidiedAt: number;

  constructor(clock: Clock, space: OneTimeSpace) {
    this.#clock = clock;
    this.#space = space;
    this.#tidiedAt = clock.now();
  }

  take(name: string, group = ''): 'new' | 'seen' | 'full' {
    const now = this.#clock.now();
    const { ms, most } = this.#space;
    if (now - this.#tidiedAt >= ms) this.#tidy(now);
    let names = this.#groups.get(group);
    if (names === undefined) {
      names = { current: new Set(), previous: new Set(), since: now };
      this.#groups.set(group, names);
    }
    // A clock that was set back never makes it forget.
    if (now - names.since >= ms) {
      const isLongAgo = now - names.since >= 2 * ms;
      names.previous = isLongAgo ? new Set() : names.current;
      names.current = new Set();
      names.since = now;
    }
    if (names.current.has(name) || names.previous.has(name)) return 'seen';
    if (names.current.size >= most) return 'full';
    names.current.add(name);
    return 'new';
  }

  /** Groups that nobody comes back to. */
  #tidy(now: number): void {
    this.#tidiedAt = now;
    for (const [group, { since }] of this.#groups)
      if (now - since >= 2 * this.#space.ms) this.#groups.delete(group);
  }
}
