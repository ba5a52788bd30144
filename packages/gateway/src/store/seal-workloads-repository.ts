import type { Selectable } from 'kysely';
import type { Store } from './store.ts';
import type { SealWorkloadsTable } from './tables/tool-tables.ts';

/** A workload as the gateway knows it: never the secret, never its hash. */
export interface WorkloadRecord {
  readonly id: string;
  readonly tenant: string;
  readonly session: string;
  readonly agent: string;
  readonly execution: string;
  readonly scope: string;
  /** undefined until it has attested */
  readonly publicKey: string | undefined;
  readonly endedAt: number | undefined;
}

export interface NewWorkloadRecord extends Omit<WorkloadRecord, 'publicKey' | 'endedAt'> {
  readonly secretHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Rows of `seal_workloads`. An id is a proof of nothing: whoever looks one up checks the tenant itself. */
export class SealWorkloadsRepository {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async insert({ secretHash, createdAt, expiresAt, ...workload }: NewWorkloadRecord): Promise<void> {
    await this.#store.db
      .insertInto('seal_workloads')
      .values({
        ...workload,
        secret_hash: secretHash,
        created_at: createdAt,
        expires_at: expiresAt,
        public_key: null,
        ended_at: null,
      })
      .execute();
  }

  async find(id: string): Promise<WorkloadRecord | undefined> {
    const row = await this.#store.db
      .selectFrom('seal_workloads')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toRecord(row);
  }

  /** Whether the session has had this execution. */
  async hasExecution(session: string, execution: string): Promise<boolean> {
    const row = await this.#store.db
      .selectFrom('seal_workloads')
      .select('id')
      .where('session', '=', session)
      .where('execution', '=', execution)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Gives the workload its key if the secret is the one, unused and in time. One of many at once succeeds. */
  async attest(
    id: string,
    secretHash: string,
    publicKey: string,
    now: number,
  ): Promise<WorkloadRecord | undefined> {
    const row = await this.#store.db
      .updateTable('seal_workloads')
      .set({ public_key: publicKey })
      .where('id', '=', id)
      .where('secret_hash', '=', secretHash)
      // SECURITY: the secret is good once.
      .where('public_key', 'is', null)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .returningAll()
      .executeTakeFirst();
    return row && toRecord(row);
  }

  /** Puts another key in the place of `oldKey`; undefined when that is not the key any more. */
  async renew(id: string, oldKey: string, publicKey: string): Promise<WorkloadRecord | undefined> {
    const row = await this.#store.db
      .updateTable('seal_workloads')
      .set({ public_key: publicKey })
      .where('id', '=', id)
      .where('public_key', '=', oldKey)
      .where('ended_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    return row && toRecord(row);
  }

  /** Ends the workloads that an execution had so far; their ids. */
  async endOf(session: string, execution: string, at: number): Promise<readonly string[]> {
    const rows = await this.#store.db
      .updateTable('seal_workloads')
      .set({ ended_at: at })
      .where('session', '=', session)
      .where('execution', '=', execution)
      .where('ended_at', 'is', null)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Forgets the workloads of sessions that are over: none of them can attest again. */
  async removeOver(now: number): Promise<void> {
    await this.#store.db
      .deleteFrom('seal_workloads')
      .where('session', 'not in', (live) =>
        live.selectFrom('sessions').select('id').where('ended_at', 'is', null).where('expires_at', '>', now),
      )
      .execute();
  }
}

function toRecord(row: Selectable<SealWorkloadsTable>): WorkloadRecord {
  const { id, tenant, session, agent, execution, scope } = row;
  return {
    ...{ id, tenant, session, agent, execution, scope },
    publicKey: row.public_key ?? undefined,
    endedAt: row.ended_at ?? undefined,
  };
}
