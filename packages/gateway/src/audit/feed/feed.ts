import { eventLine } from '../chain/event-line.ts';
import type { Committed } from '../writer/group-committer.ts';

/** One committed event on its way to those who listen. */
export interface FeedLine {
  readonly tenant: string;
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  /** the bytes of the database row */
  readonly json: string;
}

/** What is kept for listeners that are a little behind; who is further behind reads the database. */
export interface FeedLimits {
  readonly events: number;
  readonly chars: number;
}

export const DEFAULT_FEED_LIMITS: FeedLimits = { events: 16_384, chars: 16 * 1_048_576 };

/** What everyone has read is let go of when there is this much of it. */
const READ_AT_MOST = 64;

/** A listener, as far as the feed is concerned. */
export interface Follower {
  /** the next line that it reads here; undefined while it reads the database */
  readonly position: number | undefined;
}

/**
 * The bus: the latest committed events, in the order of their commits, for any number of listeners.
 *
 * INVARIANT: publishing never waits and never grows beyond the limits, however slow a listener is.
 */
export class Feed {
  readonly #limits: FeedLimits;
  #lines: Committed[] = [];
  #start = 0;
  #chars = 0;
  #waiting = new Set<() => void>();
  readonly #followers = new Set<Follower>();
  readonly #heads: Map<string, number>;

  /** `heads`: the number of the last event of each tenant, as stored. */
  constructor(heads: ReadonlyMap<string, number>, limits: FeedLimits = DEFAULT_FEED_LIMITS) {
    this.#heads = new Map(heads);
    this.#limits = limits;
  }

  /** Number of the last committed event of each tenant. */
  get heads(): ReadonlyMap<string, number> {
    return this.#heads;
  }

  /** Position of the oldest line that is kept; positions count all lines ever published. */
  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#start + this.#lines.length;
  }

  /** Until `unfollow`, lines that the follower has not read are kept, within the limits. */
  follow(follower: Follower): void {
    this.#followers.add(follower);
  }

  unfollow(follower: Follower): void {
    this.#followers.delete(follower);
  }

  publish(committed: readonly Committed[]): void {
    for (const line of committed) {
      const { event, seq } = line;
      this.#lines.push(line);
      this.#chars += event.tail.length;
      this.#heads.set(event.tenant, Math.max(seq, this.#heads.get(event.tenant) ?? 0));
    }
    this.#dropRead(committed.length);
    this.#trim();
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  at(position: number): FeedLine | undefined {
    const line = this.#lines[position - this.#start];
    if (line === undefined) return undefined;
    const { event, seq } = line;
    // Only now, since most lines are published with nobody listening.
    return { tenant: event.tenant, seq, id: event.id, type: event.type, json: eventLine(event, seq) };
  }

  /** Calls back at the next publication. Returns how to give up. */
  onNext(wake: () => void): () => void {
    this.#waiting.add(wake);
    return () => this.#waiting.delete(wake);
  }

  /** Lines live a moment only: the collector of memory then never has to move them. */
  #dropRead(fresh: number): void {
    let unread = this.end - fresh;
    for (const { position } of this.#followers)
      if (position !== undefined) unread = Math.min(unread, position);
    const drop = unread - this.#start;
    if (drop < READ_AT_MOST) return;
    for (let index = 0; index < drop; index += 1) this.#chars -= this.#lines[index]?.event.tail.length ?? 0;
    this.#lines = this.#lines.slice(drop);
    this.#start += drop;
  }

  #trim(): void {
    const { events, chars } = this.#limits;
    if (this.#lines.length <= events && this.#chars <= chars) return;
    // A quarter at once: cutting the array at every batch would copy it every time.
    let drop = Math.ceil(this.#lines.length / 4);
    let kept = this.#chars;
    for (const [index, line] of this.#lines.entries()) {
      if (index >= drop && kept <= chars) break;
      kept -= line.event.tail.length;
      drop = Math.max(drop, index + 1);
    }
    this.#lines = this.#lines.slice(drop);
    this.#start += drop;
    this.#chars = kept;
  }
}
