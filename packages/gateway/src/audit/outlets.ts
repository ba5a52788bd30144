import type { Anchor } from './anchor/anchor.ts';
import { AnchorSender } from './anchor/anchor-sender.ts';
import type { Checkpoint } from './chain/checkpoint.ts';
import type { AuditSink } from './sinks/audit-sink.ts';
import { type FeederHost, openFeeder } from './sinks/open-feeder.ts';
import type { SinkFeeder, SinkHealth } from './sinks/sink-feeder.ts';

/** Where events and checkpoints go besides the database. The same object means that it goes on as it is. */
export interface OutletSettings {
  readonly sinks?: readonly AuditSink[];
  readonly anchor?: Anchor | undefined;
}

/** A sink that could not be opened. */
export interface SinkProblem {
  readonly sink: AuditSink;
  readonly error: unknown;
}

export interface OutletsHost extends FeederHost {
  /** the last signed checkpoint of each tenant: what a new anchor gets first */
  checkpoints(): Promise<readonly Checkpoint[]>;
}

/** Carries the trail to its sinks and its anchor. Which ones may change at any time; those that stay miss nothing. */
export class Outlets {
  readonly #host: OutletsHost;
  #feeders: readonly SinkFeeder[] = [];
  #sender: AnchorSender | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(host: OutletsHost) {
    this.#host = host;
  }

  get sinks(): readonly SinkHealth[] {
    return this.#feeders.map(({ health }) => health);
  }

  get anchor(): { readonly problem: string | undefined; readonly pending: number } | undefined {
    return this.#sender && { problem: this.#sender.problem, pending: this.#sender.pending };
  }

  /** From now on these. What is returned could not be opened; the others go on. */
  use({ sinks = [], anchor }: OutletSettings): Promise<readonly SinkProblem[]> {
    const done = this.#turn.then(async () => {
      const [problems] = await Promise.all([this.#useSinks(sinks), this.#useAnchor(anchor)]);
      return problems;
    });
    this.#turn = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  send(checkpoints: readonly Checkpoint[]): void {
    if (checkpoints.length > 0) this.#sender?.send(checkpoints);
  }

  async closeSinks(): Promise<void> {
    await this.#turn;
    await Promise.all(this.#feeders.map((feeder) => feeder.close()));
  }

  async closeAnchor(): Promise<void> {
    await this.#sender?.close();
  }

  async #useSinks(sinks: readonly AuditSink[]): Promise<readonly SinkProblem[]> {
    const kept = this.#feeders.filter(({ sink }) => sinks.includes(sink));
    const gone = this.#feeders.filter(({ sink }) => !sinks.includes(sink));
    const fresh = sinks.filter((sink) => !kept.some((feeder) => feeder.sink === sink));
    this.#feeders = kept;
    const closing = new Map(gone.map((feeder) => [feeder.sink.id, feeder.close()]));
    const problems: SinkProblem[] = [];
    await Promise.all(
      fresh.map(async (sink) => {
        // The one before it at the same place first: where that one ends in the trail, this one begins.
        await closing.get(sink.id)?.catch(() => {});
        try {
          const feeder = await openFeeder(sink, this.#host);
          this.#feeders = [...this.#feeders, feeder];
        } catch (error) {
          problems.push({ sink, error });
        }
      }),
    );
    await Promise.allSettled(closing.values());
    return problems;
  }

  async #useAnchor(anchor: Anchor | undefined): Promise<void> {
    const before = this.#sender;
    if (before?.anchor === anchor) return;
    const { onFailed, onRecovered } = this.#host;
    this.#sender = anchor && new AnchorSender({ anchor, onFailed, onRecovered: (id) => onRecovered(id) });
    // One that is new, or was away when the gateway ended, has missed the last ones.
    this.send(await this.#host.checkpoints());
    await before?.close();
  }
}
