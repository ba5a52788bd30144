import type { AuditLevel } from '@sallyport/protocol';
import type { Clock } from '../shared/clock.ts';
import type { FileProblem } from '../shared/held-file.ts';
import type { Store } from '../store/index.ts';
import type { OutletSettings } from './outlets.ts';
import type { Redactor } from './redaction/redactor.ts';
import type { SinkHealth } from './sinks/sink-feeder.ts';
import type { QueueLimits } from './writer/group-committer.ts';

/** What may change while the trail is open. */
export interface TrailSettings extends OutletSettings {
  readonly level: AuditLevel;
  /** time between checkpoints of a chain that grows, in `ms` */
  readonly checkpointIntervalMs?: number;
}

export interface TrailOptions extends TrailSettings {
  readonly store: Store;
  /** `audit.key`; made at the first start */
  readonly signingKeyFile: string;
  /** where writes are put on disk before they are in the chain; none: the chain itself is waited for */
  readonly journalFile?: string;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** where events about the trail itself go */
  readonly systemTenant?: string;
  /** more that must be as it was, looked at with the files of the trail */
  readonly alsoHeld?: () => FileProblem | undefined;
  /** told once each time that a file of the trail is found removed or replaced */
  readonly onLost?: (problem: FileProblem) => void;
  readonly limits?: QueueLimits;
}

/** How the trail fares. `problem` undefined: events are being stored. */
export interface TrailHealth {
  readonly problem: string | undefined;
  /** files that were removed or replaced: nothing is recorded any more, so nothing that must be may happen */
  readonly lost: FileProblem | undefined;
  readonly queued: number;
  readonly sinks: readonly SinkHealth[];
  readonly anchor: { readonly problem: string | undefined; readonly pending: number } | undefined;
}

/** From where on a subscriber hears events: after one that it has, after a number, or from now on. */
export interface SubscribeOptions {
  readonly tenant?: string | undefined;
  /** id of the last event that the subscriber has; unknown ids that look like one count as a point in time */
  readonly lastEventId?: string | undefined;
  /** only with `tenant` */
  readonly afterSeq?: number | undefined;
  readonly signal: AbortSignal;
}
