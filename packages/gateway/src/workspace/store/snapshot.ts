import { hash } from 'node:crypto';

/** When in a run a snapshot was taken: `before`: before a command that destroys. */
export type SnapshotKind = 'start' | 'timed' | 'before' | 'end';

/** Whose work is between the first snapshot and the last one. */
export interface RunFacts {
  /** `sess_…` of an agent, `undo_…` of an undo */
  readonly id: string;
  readonly tenant: string;
  /** the agent; for an undo the run that it took back */
  readonly agent: string;
  readonly kind: 'run' | 'hook' | 'undo';
}

/** One state of a workspace. */
export interface Snapshot {
  /** `snap_…` */
  readonly id: string;
  readonly run: RunFacts;
  readonly kind: SnapshotKind;
  /** ms since epoch */
  readonly at: number;
  /** digest of the list of its files */
  readonly tree: string;
  readonly files: number;
  readonly bytes: number;
  /** paths that are not in it */
  readonly leftOut: number;
  /** files that changed while they were read */
  readonly unsettled: number;
}

const ID = /^snap_[0-9a-z]{26}$/;
const DIGEST = /^[0-9a-f]{64}$/;

/** Two lines: the facts, and their digest, so that one that was cut off is none. */
export function encodeSnapshot(snapshot: Snapshot): string {
  const text = JSON.stringify(snapshot);
  return `${text}\n${hash('sha256', text)}\n`;
}

/** Undefined for anything that `encodeSnapshot` did not write under that id. */
export function decodeSnapshot(text: string, id: string): Snapshot | undefined {
  const [facts = '', digest] = text.split('\n');
  if (!ID.test(id) || hash('sha256', facts) !== digest) return undefined;
  // Its digest says that it is one of ours; what names files is looked at all the same.
  const snapshot = JSON.parse(facts) as Snapshot;
  return snapshot.id === id && DIGEST.test(snapshot.tree) ? snapshot : undefined;
}
