import type { Checkpoint } from '../chain/checkpoint.ts';
import type { PendingEvent } from '../chain/event-line.ts';

/** What a batch became. */
export interface CommitResult {
  /** number of each event, in the order of the batch */
  readonly seqs: readonly number[];
  /** checkpoints that were stored along with it */
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * Puts batches at the end of the chains, durably.
 *
 * Contract, on both engines:
 * - a batch is stored whole or not at all, and `commit` resolves after it is durable
 * - where a chain ends is read from the database inside the transaction, so no number is skipped or used twice,
 *   whoever else writes
 * - after a rejection the next call may succeed: the writer opens again what broke
 * - events of a batch that is sent again (`again`) are stored once: those already there keep their number
 */
export interface ChainWriter {
  commit(events: readonly PendingEvent[], again: boolean): Promise<CommitResult>;
  /** Signs every chain that has grown since its last checkpoint. */
  checkpoint(): Promise<readonly Checkpoint[]>;
  close(): Promise<void>;
}
