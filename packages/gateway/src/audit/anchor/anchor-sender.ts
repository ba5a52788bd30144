import { setTimeout as delay } from 'node:timers/promises';
import type { Checkpoint } from '../chain/checkpoint.ts';
import type { Anchor } from './anchor.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** How long `close` tries to send the last checkpoint, in `ms` */
const CLOSE_MS = 3_000;

export interface AnchorSenderOptions {
  readonly anchor: Anchor;
  onFailed(anchor: string, problem: string): void;
  onRecovered(anchor: string): void;
}

/** Sends checkpoints until the anchor has them. Of each tenant only the newest counts: it covers those before. */
export class AnchorSender {
  readonly #options: AnchorSenderOptions;
  readonly #pending = new Map<string, Checkpoint>();
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;
  #problem: string | undefined;

  constructor(options: AnchorSenderOptions) {
    this.#options = options;
  }

  get anchor(): Anchor {
    return this.#options.anchor;
  }

  /** Why checkpoints do not get through at present. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get pending(): number {
    return this.#pending.size;
  }

  send(checkpoints: readonly Checkpoint[]): void {
    for (const checkpoint of checkpoints) this.#pending.set(checkpoint.tenant, checkpoint);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.#stopped.abort(), CLOSE_MS);
    await this.#running;
    clearTimeout(timer);
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    const { anchor, onFailed, onRecovered } = this.#options;
    const { signal } = this.#stopped;
    for (let pause = FIRST_PAUSE_MS; this.#pending.size > 0 && !signal.aborted; ) {
      const [next] = this.#pending.values();
      if (next === undefined) return;
      try {
        await anchor.send(next, signal);
      } catch (error) {
        const first = this.#problem === undefined;
        this.#problem = error instanceof Error ? error.message : String(error);
        if (first) onFailed(anchor.id, this.#problem);
        await delay(pause, undefined, { signal }).catch(() => {});
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        continue;
      }
      pause = FIRST_PAUSE_MS;
      // A newer one may have come in meanwhile.
      if (this.#pending.get(next.tenant) === next) this.#pending.delete(next.tenant);
      if (this.#problem !== undefined) onRecovered(anchor.id);
      this.#problem = undefined;
    }
  }
}
