import type { Checkpoint } from '../chain/checkpoint.ts';

/** A row of `events` without its tenant. Typed as it should be; whoever checks must not believe it. */
export type StoredRow = readonly [
  seq: number,
  id: string,
  at: number,
  type: string,
  actionId: string | null,
  approvalId: string | null,
  json: string,
  prev: string,
  hash: string,
];

/** What checking needs of a database. Reads in pages, so that memory stays small and writers are not held up. */
export interface RowReader {
  /** rows with `from` ≤ seq ≤ `to`, in order */
  rows(tenant: string, from: number, to: number): AsyncIterable<readonly StoredRow[]>;
  hashAt(tenant: string, seq: number): Promise<string | undefined>;
  /** the stored bytes, undecoded */
  bytesAt(tenant: string, seq: number): Promise<Uint8Array>;
  /** checkpoints with `from` ≤ seq ≤ `to`, in order */
  checkpoints(tenant: string, from: number, to: number): Promise<readonly Checkpoint[]>;
}
