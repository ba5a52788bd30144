import type { Head } from './chain-rows.ts';
import { type Checkpoint, signCheckpoint } from './checkpoint.ts';
import type { SigningKey } from './signing-key.ts';

/** A checkpoint is due after this many events, … */
export const CHECKPOINT_EVERY = 1_000;
/** … or after this time, if there are new events. */
export const CHECKPOINT_INTERVAL_MS = 10_000;

/** Remembers up to where each chain is signed and says where a signature is due. */
export class CheckpointPolicy {
  readonly #key: SigningKey;
  readonly #signed = new Map<string, number>();
  readonly #heads = new Map<string, Head>();

  constructor(key: SigningKey) {
    this.#key = key;
  }

  /** Where a chain ends and up to where it is signed, as read from the database. */
  learn(tenant: string, head: Head, signedSeq: number): void {
    this.#heads.set(tenant, head);
    this.#signed.set(tenant, signedSeq);
  }

  /** Checkpoints to store along with a batch that moves the chains to `heads`. */
  due(heads: ReadonlyMap<string, Head>, now: number): Checkpoint[] {
    const due: Checkpoint[] = [];
    for (const [tenant, head] of heads) {
      if (head.seq - (this.#signed.get(tenant) ?? 0) >= CHECKPOINT_EVERY)
        due.push(this.#sign(tenant, head, now));
    }
    return due;
  }

  /** Checkpoints for every chain that has grown since its last one. */
  overdue(now: number): Checkpoint[] {
    const due: Checkpoint[] = [];
    for (const [tenant, head] of this.#heads) {
      if (head.seq > (this.#signed.get(tenant) ?? 0)) due.push(this.#sign(tenant, head, now));
    }
    return due;
  }

  /** To be called once the batch and its checkpoints are durable. */
  committed(heads: ReadonlyMap<string, Head>, checkpoints: readonly Checkpoint[]): void {
    for (const [tenant, head] of heads) this.#heads.set(tenant, head);
    for (const { tenant, seq } of checkpoints) this.#signed.set(tenant, seq);
  }

  #sign(tenant: string, head: Head, now: number): Checkpoint {
    return signCheckpoint({ tenant, seq: head.seq, hash: head.hash, at: now }, this.#key);
  }
}
