import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../shared/clock.ts';
import type { FeedLine } from '../feed/feed.ts';
import type { FeedReader } from '../feed/feed-reader.ts';
import type { AuditSink } from './audit-sink.ts';

const BATCH = 1_000;
/** Between two batches: under load every commit would be a write of its own, and most are a few events. In `ms` */
const GATHER_MS = 25;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;
/** How long `close` lets a sink catch up, in `ms` */
const CLOSE_MS = 3_000;

/** How a sink fares, for status pages and metrics. */
export interface SinkHealth {
  readonly id: string;
  readonly problem: string | undefined;
  /** events that the sink does not have yet */
  readonly lag: number;
}

export interface SinkFeederOptions {
  readonly sink: AuditSink;
  readonly reader: FeedReader;
  readonly clock: Clock;
  /** keeps the sink's place; called after each batch that the sink took */
  save(cursors: ReadonlyMap<string, number>): Promise<void>;
  onFailed(sink: string, problem: string): void;
  onRecovered(sink: string, failedForMs: number): void;
}

/**
 * Carries events to one sink, at the sink's own pace.
 *
 * A batch that the sink refuses is offered again, with growing pauses, until it takes it or the gateway ends.
 * Nothing waits for a feeder but its own `close`, and that not for long.
 */
export class SinkFeeder {
  readonly #options: SinkFeederOptions;
  /** no more events are waited for; those that are there still go out */
  readonly #ending = new AbortController();
  /** nothing is delivered any more */
  readonly #stopped = new AbortController();
  readonly #done: Promise<void>;
  #inHand: readonly FeedLine[] = [];
  #failedSince: number | undefined;
  #problem: string | undefined;

  constructor(options: SinkFeederOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  get sink(): AuditSink {
    return this.#options.sink;
  }

  get health(): SinkHealth {
    const { sink, reader } = this.#options;
    return { id: sink.id, problem: this.#problem, lag: reader.lag + this.#inHand.length };
  }

  /** Gives the sink a moment to take what is there, then stops. A sink that is failing gets no moment. */
  async close(): Promise<void> {
    this.#ending.abort();
    if (this.#problem !== undefined) this.#stopped.abort();
    const timer = setTimeout(() => this.#stopped.abort(), CLOSE_MS);
    await this.#done;
    clearTimeout(timer);
    this.#options.reader.close();
    await this.#options.sink.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        this.#inHand = await this.#options.reader.next(BATCH, this.#ending.signal);
      } catch (error) {
        await this.#failed(error, FIRST_PAUSE_MS);
        continue;
      }
      if (this.#inHand.length === 0) return;
      await this.#deliver();
      await delay(GATHER_MS, undefined, { signal: this.#ending.signal }).catch(() => {});
    }
  }

  async #deliver(): Promise<void> {
    const { sink, reader, save } = this.#options;
    const { signal } = this.#stopped;
    for (let pause = FIRST_PAUSE_MS; this.#inHand.length > 0 && !signal.aborted; ) {
      try {
        await sink.write(this.#inHand, signal);
      } catch (error) {
        await this.#failed(error, pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        continue;
      }
      this.#inHand = [];
      this.#recovered();
      // A place that cannot be stored means at worst that a batch comes twice after a crash.
      await save(reader.cursors).catch(() => {});
    }
  }

  async #failed(error: unknown, pauseMs: number): Promise<void> {
    const { sink, clock, onFailed } = this.#options;
    // While the gateway ends, a sink gets one try: what it missed it reads back at the next start.
    if (this.#ending.signal.aborted) this.#stopped.abort();
    if (this.#stopped.signal.aborted) return;
    this.#problem = error instanceof Error ? error.message : String(error);
    if (this.#failedSince === undefined) {
      this.#failedSince = clock.now();
      onFailed(sink.id, this.#problem);
    }
    await delay(pauseMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
  }

  #recovered(): void {
    if (this.#failedSince === undefined) return;
    const { sink, clock, onRecovered } = this.#options;
    onRecovered(sink.id, clock.now() - this.#failedSince);
    this.#failedSince = undefined;
    this.#problem = undefined;
  }
}
