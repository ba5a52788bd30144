import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../../shared/clock.ts';
import type { Database, Store } from '../../store/index.ts';
import { EMPTY_HEAD, type EventRow, type Head, linkBatch } from '../chain/chain-rows.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';
import { CheckpointPolicy } from '../chain/checkpoint-policy.ts';
import type { PendingEvent } from '../chain/event-line.ts';
import type { SigningKey } from '../chain/signing-key.ts';
import type { ChainWriter, CommitResult } from './chain-writer.ts';
import { refuseOtherPast, StoredHeads } from './stored-heads.ts';

// Any constant, as long as nothing else takes it: one lock for all chains, so that no two transactions can wait for each other.
const CHAIN_LOCK = 'sallyport:audit-chains';
/** How long a batch may wait for the lock or a statement, in `ms` */
const STATEMENT_TIMEOUT_MS = 5_000;

/** The writer for Postgres. Several gateways may share one database: the lock lets one of them write at a time. */
export class PostgresWriter implements ChainWriter {
  readonly #db: Kysely<Database>;
  readonly #policy: CheckpointPolicy;
  readonly #clock: Clock;
  readonly #stored = new StoredHeads();
  #known = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, key: SigningKey, clock: Clock) {
    this.#db = store.db;
    this.#policy = new CheckpointPolicy(key);
    this.#clock = clock;
  }

  commit(events: readonly PendingEvent[], again: boolean): Promise<CommitResult> {
    return this.#inTurn(() => this.#commit(events, again));
  }

  checkpoint(): Promise<readonly Checkpoint[]> {
    return this.#inTurn(async () => {
      await this.#learnHeads();
      const checkpoints = this.#policy.overdue(this.#clock.now());
      if (checkpoints.length > 0)
        await this.#db.transaction().execute(async (trx) => {
          for (const { tenant } of checkpoints) await this.#readHead(trx, tenant);
          await storeAll(trx, checkpoints);
        });
      this.#policy.committed(new Map(), checkpoints);
      return checkpoints;
    });
  }

  async close(): Promise<void> {
    await this.#last.catch(() => {});
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }

  async #commit(events: readonly PendingEvent[], again: boolean): Promise<CommitResult> {
    await this.#learnHeads();
    const heads = new Map<string, Head>();
    const result = await this.#db.transaction().execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`.execute(trx);
      // INVARIANT: taken before the heads are read: two gateways must not continue the same head.
      await sql`select pg_advisory_xact_lock(hashtextextended(${CHAIN_LOCK}, 0))`.execute(trx);
      const numbers = again ? await storedNumbers(trx, events) : new Map<string, number>();
      const fresh = numbers.size === 0 ? events : events.filter((event) => !numbers.has(event.id));
      for (const { tenant } of fresh)
        if (!heads.has(tenant)) heads.set(tenant, await this.#readHead(trx, tenant));

      const rows = linkBatch(fresh, heads);
      await insertRows(trx, rows);
      const checkpoints = this.#policy.due(heads, this.#clock.now());
      await storeAll(trx, checkpoints);
      for (const row of rows) numbers.set(row[2], row[1]);
      return { seqs: events.map((event) => numbers.get(event.id) ?? 0), checkpoints };
    });
    this.#policy.committed(heads, result.checkpoints);
    this.#stored.keep(heads);
    return result;
  }

  async #readHead(trx: Transaction<Database>, tenant: string): Promise<Head> {
    const head = await readHead(trx, tenant);
    const last = this.#stored.toLookFor(tenant, head);
    if (last === undefined) return head;
    const found = await trx
      .selectFrom('events')
      .select('hash')
      .where('tenant', '=', tenant)
      .where('seq', '=', last.seq)
      .executeTakeFirst();
    refuseOtherPast(tenant, last, found?.hash);
    return head;
  }

  async #learnHeads(): Promise<void> {
    if (this.#known) return;
    const signed = await this.#db
      .selectFrom('checkpoints')
      .select(['tenant', (eb) => eb.fn.max('seq').as('seq')])
      .groupBy('tenant')
      .execute();
    const signedSeq = new Map(signed.map((row) => [row.tenant, Number(row.seq)]));
    const seen = new Set<string>();
    for (let tenant = ''; ; ) {
      const next = await this.#db
        .selectFrom('events')
        .select('tenant')
        .where('tenant', '>', tenant)
        .orderBy('tenant')
        .limit(1)
        .executeTakeFirst();
      if (next === undefined) break;
      if (seen.has(next.tenant)) break;
      seen.add(next.tenant);
      tenant = next.tenant;
      this.#policy.learn(tenant, await readHead(this.#db, tenant), signedSeq.get(tenant) ?? 0);
    }
    this.#known = true;
  }
}

async function readHead(db: Kysely<Database> | Transaction<Database>, tenant: string): Promise<Head> {
  const row = await db
    .selectFrom('events')
    .select(['seq', 'hash'])
    .where('tenant', '=', tenant)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? EMPTY_HEAD : { seq: Number(row.seq), hash: row.hash };
}

async function storedNumbers(
  trx: Transaction<Database>,
  events: readonly PendingEvent[],
): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('events')
    .select(['id', 'seq'])
    .where(
      'id',
      'in',
      events.map((event) => event.id),
    )
    .execute();
  return new Map(rows.map((row) => [row.id, Number(row.seq)]));
}

async function insertRows(trx: Transaction<Database>, rows: readonly EventRow[]): Promise<void> {
  if (rows.length === 0) return;
  const column = <I extends keyof EventRow & number>(index: I) => rows.map((row) => row[index]);
  await sql`insert into events (tenant, seq, id, at, type, action_id, approval_id, json, prev, hash)
    select * from unnest(${column(0)}::text[], ${column(1)}::bigint[], ${column(2)}::text[], ${column(3)}::bigint[],
      ${column(4)}::text[], ${column(5)}::text[], ${column(6)}::text[], ${column(7)}::text[],
      ${column(8)}::text[], ${column(9)}::text[])`.execute(trx);
}

async function storeAll(trx: Transaction<Database>, checkpoints: readonly Checkpoint[]): Promise<void> {
  if (checkpoints.length === 0) return;
  await trx
    .insertInto('checkpoints')
    .values([...checkpoints])
    // Another gateway on the same database may have signed the same event.
    .onConflict((conflict) => conflict.columns(['tenant', 'seq']).doNothing())
    .execute();
}
