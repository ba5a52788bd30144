import type { ErrorCode, RunChanges, SnapshotList, UndoPlanWire, UndoResult } from '@sallyport/protocol';
import type { Destroyed } from '../history/missing.ts';
import type { UndoRequest } from '../history/workspace.ts';
import type { Retention } from '../store/prune.ts';
import type { RunFacts, Snapshot } from '../store/snapshot.ts';
import type { SnapshotLimits, SnapshotOrder } from '../taking/take-snapshot.ts';

/** What the process of a workspace is asked to do, and what it answers: plain data. */
export interface Jobs {
  readonly take: { readonly order: Omit<SnapshotOrder, 'limits' | 'whole'>; readonly answer: Snapshot };
  /** before a command that destroys: a snapshot, and the first thing that it cannot give back */
  readonly hold: {
    readonly order: { readonly run: RunFacts; readonly destroyed: Destroyed };
    readonly answer: {
      readonly snapshot: Snapshot;
      readonly missing: { readonly path: string; readonly why: string } | null;
    };
  };
  readonly list: { readonly order: null; readonly answer: SnapshotList };
  /** what a run did; null when its first or last state is not held */
  readonly changes: { readonly order: { readonly run: string }; readonly answer: RunChanges | null };
  readonly plan: {
    readonly order: { readonly request: UndoRequest; readonly diff: boolean };
    readonly answer: UndoPlanWire;
  };
  readonly undo: {
    readonly order: { readonly request: UndoRequest; readonly digest: string; readonly run: RunFacts };
    readonly answer: UndoResult & { readonly tenant: string; readonly of: string; readonly to: string };
  };
  readonly prune: {
    readonly order: { readonly retention: Retention; readonly live: readonly string[] };
    readonly answer: { readonly removed: number; readonly bytes: number };
  };
}

export type JobName = keyof Jobs;

export type JobMessage = {
  readonly [Name in JobName]: {
    readonly id: number;
    readonly name: Name;
    readonly order: Jobs[Name]['order'];
    readonly limits: SnapshotLimits;
  };
}[JobName];

export interface JobAnswer {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint?: string };
  /** an undo that was cut off was finished, or taken back, before this */
  readonly recovered?: { readonly run: RunFacts; readonly isDone: boolean };
}
