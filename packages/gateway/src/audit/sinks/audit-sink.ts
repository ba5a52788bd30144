import type { FeedLine } from '../feed/feed.ts';

/**
 * Somewhere that events go besides the database.
 *
 * Contract, checked by `describeAuditSinkContract`:
 * - `write` resolves when the lines have been taken for good and rejects when they have not; the same lines
 *   then come again, in the same order
 * - lines are handed on byte for byte
 * - it never blocks: it waits without holding the event loop
 * - `close` is idempotent
 */
export interface AuditSink {
  /** dotted id, for example `sinks.webhook.siem`; unique in one gateway */
  readonly id: string;
  /**
   * How the sink finds its place after a restart: `own` asks `positions`, `stored` has its cursor kept in the
   * database, `none` starts with the next event.
   */
  readonly resume: 'own' | 'stored' | 'none';
  /** for `own`: number of the last event that it has, by tenant */
  positions?(): Promise<ReadonlyMap<string, number>>;
  write(lines: readonly FeedLine[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
