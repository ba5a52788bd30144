import type { Destination } from '../shared/http-message.ts';
import type { Exchange } from './exchange.ts';
import { HostPool, type PoolParts } from './host-pool.ts';
import type { EgressLimits } from './limits.ts';
import type { Opener } from './opener.ts';

const LONGEST_SWEEP_MS = 1_000;

/** All connections to upstream hosts. Tenants never share one. */
export class Pool implements PoolParts {
  readonly opener: Opener;
  readonly limits: EgressLimits;
  readonly #hosts = new Map<string, HostPool>();
  /** hosts as they were under settings that hold no more, until their last request has ended */
  readonly #retired = new Set<HostPool>();
  readonly #sweepMs: number;
  #taken = 0;
  #sweeper: NodeJS.Timeout | undefined;
  #whenEmpty: (() => void) | undefined;

  constructor(opener: Opener, limits: EgressLimits) {
    this.opener = opener;
    this.limits = limits;
    this.#sweepMs = Math.max(
      10,
      Math.min(LONGEST_SWEEP_MS, limits.headMs / 4, limits.idleMs / 4, limits.queueMs / 4),
    );
  }

  start(exchange: Exchange): void {
    this.#hostOf(exchange.request).start(exchange);
  }

  #hostOf(to: Destination): HostPool {
    const key = `${to.tenant} ${to.scheme} ${to.host} ${to.port}`;
    const present = this.#hosts.get(key);
    if (present !== undefined) return present;
    const made = new HostPool(to, this);
    this.#hosts.set(key, made);
    // One timer for all: a request sets a number, and nothing else.
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#sweepMs).unref();
    return made;
  }

  take(): boolean {
    if (this.#taken >= this.limits.total && !this.#makeRoom()) return false;
    this.#taken++;
    return true;
  }

  give(): void {
    this.#taken--;
    if (this.#taken === 0) this.#whenEmpty?.();
  }

  /** Gives up the connection that is unused longest, whosever it is. */
  #makeRoom(): boolean {
    let oldest: HostPool | undefined;
    for (const host of this.#hosts.values()) {
      if (host.idleSince !== undefined && host.idleSince < (oldest?.idleSince ?? Number.POSITIVE_INFINITY)) {
        oldest = host;
      }
    }
    oldest?.dropOldest();
    return oldest !== undefined;
  }

  #sweep(): void {
    const now = performance.now();
    for (const [key, host] of this.#hosts) {
      host.sweep(now);
      if (host.isEmpty) this.#hosts.delete(key);
    }
    for (const host of this.#retired) {
      host.sweep(now);
      if (host.isEmpty) this.#retired.delete(host);
    }
    if (this.#hosts.size + this.#retired.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  /** No connection that exists is used for another request. */
  retire(): void {
    for (const host of this.#hosts.values()) {
      host.retire();
      this.#retired.add(host);
    }
    this.#hosts.clear();
  }

  /** Ends everything; resolves when every connection is closed. */
  async close(error: Error): Promise<void> {
    for (const host of [...this.#hosts.values(), ...this.#retired]) host.close(error);
    clearInterval(this.#sweeper);
    if (this.#taken === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }
}
