import type { ScrubPlan } from './scrub-plan.ts';

/**
 * Scrubs a body chunk by chunk, wherever the borders fall. Only bytes that may be the beginning of a hit are held
 * back, so a stream of events is not delayed.
 */
export class ScrubStream {
  readonly #plan: ScrubPlan;
  #held: Uint8Array | undefined;
  #hits = 0;

  constructor(plan: ScrubPlan) {
    this.#plan = plan;
  }

  get hits(): number {
    return this.#hits;
  }

  /** What may go on now; empty when all of it is held back. Overwrites in place: the chunk is ours. */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    this.#hits += this.#plan.overwrite(bytes);
    const end = this.#plan.openEnd(bytes);
    // A copy, because the rest of a large chunk would be kept alive by a few bytes.
    this.#held = end === bytes.length ? undefined : Buffer.from(bytes.subarray(end));
    return end === bytes.length ? bytes : bytes.subarray(0, end);
  }

  /** The rest: the body is over, so what was held back is no hit. */
  end(): Uint8Array | undefined {
    const rest = this.#held;
    this.#held = undefined;
    return rest;
  }
}
