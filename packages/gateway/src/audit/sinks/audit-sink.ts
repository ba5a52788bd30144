import type { Writable } from 'node:stream';
import type { AuditSinkKind, AuditSinkOptions } from '../../config/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Secret } from '../../shared/secret.ts';
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

/** What sinks are opened with. */
export interface SinkContext {
  /** where files of the trail lie */
  readonly folder: string;
  readonly stdout: Writable;
  readonly clock: Clock;
  /** the secrets that `references` named; one that is missing here could not be read, and the sink is not opened */
  readonly secrets: ReadonlyMap<string, Secret>;
}

/**
 * All that the gateway knows about one kind of sink. Its settings, and the place that tells two of them apart, stand
 * in `config/sections/audit.ts`.
 */
export interface SinkDefinition<Kind extends AuditSinkKind = AuditSinkKind> {
  /** for people: what becomes of an event, and what happens after a restart */
  readonly docs: { readonly form: string; readonly restart: string };
  /** the secrets that it needs. One of the same settings and secrets is the same sink, and goes on over a reload */
  references(config: AuditSinkOptions<Kind>): readonly string[];
  open(config: AuditSinkOptions<Kind>, context: SinkContext): AuditSink;
}

/** One for each kind of the schema: one without the other does not compile. */
export type SinkDefinitions = { readonly [Kind in AuditSinkKind]: SinkDefinition<Kind> };
