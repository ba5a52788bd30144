import type { Lease, Leases } from './coordination.ts';

export interface Held {
  /** goes with what is written, so that a holder that lost the lease and does not know it yet can be told apart */
  readonly fence: number;
  /** aborts when the lease is lost, or can no longer be shown to be ours */
  readonly signal: AbortSignal;
}

export interface LeasedJobParts {
  readonly leases: Leases;
  readonly name: string;
  /** of the lease: a gateway that is killed is followed by another within one and a third of it */
  readonly ms: number;
  /** pause between two rounds */
  readonly everyMs: number;
  readonly round: (held: Held) => Promise<void>;
  readonly onProblem: (error: unknown) => void;
}

/** A job that runs at one gateway at a time. */
export class LeasedJob {
  readonly #parts: LeasedJobParts;
  readonly #timer: NodeJS.Timeout;
  #lease: { readonly lease: Lease; readonly lost: AbortController; until: number } | undefined;
  #ranAt = Number.NEGATIVE_INFINITY;
  #working: Promise<void> | undefined;
  #round: Promise<void> | undefined;

  constructor(parts: LeasedJobParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.tick(), parts.ms / 3).unref();
    void this.tick();
  }

  /** Takes or renews the lease, and does what is due. It runs by itself; a tick that is under way is joined. */
  tick(): Promise<void> {
    this.#working ??= this.#tick()
      .catch(this.#parts.onProblem)
      .finally(() => {
        this.#working = undefined;
      });
    return this.#working;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
    const { lease } = this.#lease ?? {};
    this.#lose('the gateway stops');
    await this.#round;
    try {
      await lease?.release();
    } catch {
      // Its time ends it.
    }
  }

  async #tick(): Promise<void> {
    const { leases, name, ms, everyMs } = this.#parts;
    // Measured on our own clock from before the question, so it ends here before it ends there, whatever the clocks say.
    const asked = performance.now();
    if (this.#lease !== undefined && this.#lease.until <= asked) this.#lose('it was not renewed in time');
    if (this.#lease === undefined) {
      const lease = await leases.take(name, ms);
      if (lease === undefined) return;
      this.#lease = { lease, lost: new AbortController(), until: asked + ms };
    } else if (await this.#lease.lease.renew()) this.#lease.until = asked + ms;
    else this.#lose('another gateway has it');
    if (this.#lease === undefined || this.#round !== undefined || asked - this.#ranAt < everyMs) return;
    this.#ranAt = asked;
    const { lease, lost } = this.#lease;
    // Not waited for: the lease is renewed while it runs.
    this.#round = this.#parts
      .round({ fence: lease.fence, signal: lost.signal })
      .catch(this.#parts.onProblem)
      .finally(() => {
        this.#round = undefined;
      });
  }

  #lose(why: string): void {
    this.#lease?.lost.abort(why);
    this.#lease = undefined;
  }
}
