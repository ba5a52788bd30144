import type { Clock } from '../../shared/clock.ts';
import type { MetaRepository } from '../../store/index.ts';
import type { Feed } from '../feed/feed.ts';
import { FeedReader, type ReadBack } from '../feed/feed-reader.ts';
import type { AuditSink } from './audit-sink.ts';
import { SinkFeeder } from './sink-feeder.ts';

export interface FeederHost {
  readonly feed: Feed;
  readonly readBack: ReadBack;
  readonly meta: MetaRepository;
  readonly clock: Clock;
  onFailed(sink: string, problem: string): void;
  onRecovered(sink: string, failedForMs?: number): void;
}

/** Finds where the sink left off and starts to feed it. A sink that is new begins with the next event. */
export async function openFeeder(sink: AuditSink, host: FeederHost): Promise<SinkFeeder> {
  const { feed, readBack, meta, clock, onFailed, onRecovered } = host;
  const key = `audit.cursor.${sink.id}`;
  const save =
    sink.resume === 'stored'
      ? (cursors: ReadonlyMap<string, number>) => meta.set(key, JSON.stringify(Object.fromEntries(cursors)))
      : async () => {};
  const cursors = await startingPoint(sink, host, key);
  await save(cursors);
  const reader = new FeedReader({ feed, readBack, cursors });
  return new SinkFeeder({ sink, reader, clock, save, onFailed, onRecovered });
}

async function startingPoint(
  sink: AuditSink,
  { feed, meta }: FeederHost,
  key: string,
): Promise<ReadonlyMap<string, number>> {
  switch (sink.resume) {
    case 'own':
      return (await sink.positions?.()) ?? new Map();
    case 'none':
      return feed.heads;
    case 'stored': {
      const stored = await meta.get(key);
      if (stored === undefined) return new Map(feed.heads);
      const cursors: unknown = JSON.parse(stored);
      return new Map(Object.entries(cursors ?? {}).map(([tenant, seq]) => [tenant, Number(seq)]));
    }
  }
}
