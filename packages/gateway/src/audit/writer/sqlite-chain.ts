import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { EMPTY_HEAD, type Head, linkBatch } from '../chain/chain-rows.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';
import { CheckpointPolicy } from '../chain/checkpoint-policy.ts';
import type { PendingEvent } from '../chain/event-line.ts';
import type { SigningKey } from '../chain/signing-key.ts';
import type { CommitResult } from './chain-writer.ts';
import { refuseOtherPast, type StoredHeads } from './stored-heads.ts';

/** The chains in one SQLite database, through one connection. Runs on the writer thread; every call blocks. */
export class SqliteChain {
  readonly #db: DatabaseSync;
  readonly #policy: CheckpointPolicy;
  readonly #insert: StatementSync;
  readonly #insertCheckpoint: StatementSync;
  readonly #head: StatementSync;
  readonly #byId: StatementSync;
  readonly #bySeq: StatementSync;
  readonly #stored: StoredHeads;

  /** `stored`: what was stored through earlier connections; what this one stores is added to it. */
  constructor(db: DatabaseSync, key: SigningKey, stored: StoredHeads) {
    this.#db = db;
    this.#stored = stored;
    this.#insert = db.prepare(
      `insert into events (tenant, seq, id, at, type, action_id, approval_id, json, prev, hash)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertCheckpoint = db.prepare(
      `insert into checkpoints (tenant, seq, hash, at, key_id, signature) values (?, ?, ?, ?, ?, ?)
       on conflict (tenant, seq) do nothing`,
    );
    this.#head = db.prepare('select seq, hash from events where tenant = ? order by seq desc limit 1');
    this.#byId = db.prepare('select seq from events where id = ?');
    this.#bySeq = db.prepare('select hash from events where tenant = ? and seq = ?');
    this.#policy = new CheckpointPolicy(key);
    this.#learnHeads();
  }

  commit(events: readonly PendingEvent[], again: boolean): CommitResult {
    return this.#transaction(() => {
      const stored = again ? this.#alreadyStored(events) : undefined;
      const fresh = stored === undefined ? events : events.filter((event) => !stored.has(event.id));
      const heads = new Map<string, Head>();
      for (const { tenant } of fresh) if (!heads.has(tenant)) heads.set(tenant, this.#readHead(tenant));

      const rows = linkBatch(fresh, heads);
      for (const row of rows) this.#insert.run(...row);
      const checkpoints = this.#policy.due(heads, Date.now());
      for (const checkpoint of checkpoints) this.#store(checkpoint);

      const numbers = stored ?? new Map<string, number>();
      if (stored !== undefined) for (const row of rows) numbers.set(row[2], row[1]);
      const seqs =
        stored === undefined ? rows.map((row) => row[1]) : events.map((event) => numbers.get(event.id) ?? 0);
      return { result: { seqs, checkpoints }, heads, checkpoints };
    });
  }

  checkpoint(): readonly Checkpoint[] {
    return this.#transaction(() => {
      const checkpoints = this.#policy.overdue(Date.now());
      for (const checkpoint of checkpoints) {
        this.#readHead(checkpoint.tenant);
        this.#store(checkpoint);
      }
      return { result: checkpoints, heads: new Map<string, Head>(), checkpoints };
    });
  }

  #transaction<T>(
    work: () => { result: T; heads: ReadonlyMap<string, Head>; checkpoints: readonly Checkpoint[] },
  ): T {
    // `immediate`: the head that is read below must still be the head when the batch is written.
    this.#db.exec('begin immediate');
    try {
      const { result, heads, checkpoints } = work();
      this.#db.exec('commit');
      this.#policy.committed(heads, checkpoints);
      this.#stored.keep(heads);
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  #store(checkpoint: Checkpoint): void {
    const { tenant, seq, hash, at, key_id, signature } = checkpoint;
    this.#insertCheckpoint.run(tenant, seq, hash, at, key_id, signature);
  }

  #readHead(tenant: string): Head {
    const row = this.#head.get(tenant);
    const head = row === undefined ? EMPTY_HEAD : { seq: Number(row.seq), hash: String(row.hash) };
    const last = this.#stored.toLookFor(tenant, head);
    if (last !== undefined) {
      const found = this.#bySeq.get(tenant, last.seq)?.hash;
      refuseOtherPast(tenant, last, found === undefined ? undefined : String(found));
    }
    return head;
  }

  #alreadyStored(events: readonly PendingEvent[]): Map<string, number> {
    const stored = new Map<string, number>();
    for (const { id } of events) {
      const row = this.#byId.get(id);
      if (row !== undefined) stored.set(id, Number(row.seq));
    }
    return stored;
  }

  #learnHeads(): void {
    // Hops from tenant to tenant through the index: a `group by` would read every entry.
    const nextTenant = this.#db.prepare('select min(tenant) as tenant from events where tenant > ?');
    const signed = this.#db.prepare('select max(seq) as seq from checkpoints where tenant = ?');
    const seen = new Set<string>();
    for (let tenant = ''; ; ) {
      const next = nextTenant.get(tenant)?.tenant;
      if (typeof next !== 'string') return;
      // A name that was damaged leads in a circle. The trail goes on all the same: recording comes first.
      if (seen.has(next)) return;
      seen.add(next);
      tenant = next;
      this.#policy.learn(tenant, this.#readHead(tenant), Number(signed.get(tenant)?.seq ?? 0));
    }
  }
}
