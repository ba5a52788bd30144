import { type Kysely, sql } from 'kysely';
import { type Page, type PageRequest, planPage, toPage } from './page.ts';
import { type NewSession, type SessionRecord, toRecord, toRow } from './session-record.ts';
import type { Database, Store } from './store.ts';

/** Which sessions a list shows. */
export interface SessionFilter {
  /** only sessions that are neither ended nor expired at this time, in ms since epoch */
  readonly liveAt?: number | undefined;
}

/** Rows of `sessions`. Methods that take a tenant see that tenant only; the others say that they see all. */
export class SessionsRepository {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Stores a session unless the tenant has `maxLive` live ones already: then false. Exact under concurrency. */
  async insertBelow(session: NewSession, maxLive: number): Promise<boolean> {
    return this.#store.db.transaction().execute(async (trx) => {
      // SQLite's write lock orders the counts of all; in Postgres a lock for each tenant does.
      if (this.#store.engine === 'postgres') {
        await sql`select pg_advisory_xact_lock(hashtextextended(${`sessions:${session.tenant}`}, 0))`.execute(
          trx,
        );
      }
      const { live } = await liveSessions(trx, session.createdAt)
        .where('tenant', '=', session.tenant)
        .select((eb) => eb.fn.countAll<number>().as('live'))
        .executeTakeFirstOrThrow();
      if (live >= maxLive) return false;
      await trx.insertInto('sessions').values(toRow(session)).execute();
      return true;
    });
  }

  /** The session with this token, of whatever tenant and state: who holds the token proves the tenant with it. */
  async findByTokenHash(tokenHash: string): Promise<SessionRecord | undefined> {
    const row = await this.#store.db
      .selectFrom('sessions')
      .selectAll()
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst();
    return row && toRecord(row);
  }

  async get(tenant: string, id: string): Promise<SessionRecord | undefined> {
    const row = await this.#store.db
      .selectFrom('sessions')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toRecord(row);
  }

  /** The session of whatever tenant. For the operator side and the gateway itself only. */
  async findOfAnyTenant(id: string): Promise<SessionRecord | undefined> {
    const row = await this.#store.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toRecord(row);
  }

  async list(tenant: string, page?: PageRequest, filter?: SessionFilter): Promise<Page<SessionRecord>> {
    return this.#page(tenant, page, filter);
  }

  /** Sessions of every tenant. For the operator side only. */
  async listOfAllTenants(page?: PageRequest, filter?: SessionFilter): Promise<Page<SessionRecord>> {
    return this.#page(undefined, page, filter);
  }

  /** Live sessions of every tenant with their token hashes, newest first: what the gateway keeps in memory. */
  async loadLive(
    at: number,
    limit: number,
  ): Promise<readonly { readonly session: SessionRecord; readonly tokenHash: string }[]> {
    const rows = await liveSessions(this.#store.db, at)
      .selectAll()
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ session: toRecord(row), tokenHash: row.token_hash }));
  }

  /** Those of these sessions, of whatever tenant, that are still there: what other gateways did shows here. */
  async findMany(ids: readonly string[]): Promise<readonly SessionRecord[]> {
    const rows = await this.#store.db.selectFrom('sessions').selectAll().where('id', 'in', ids).execute();
    return rows.map(toRecord);
  }

  /** Moves the expiry of a session that is live at `at`; false when there is no such session. */
  async extend(tenant: string, id: string, at: number, expiresAt: number): Promise<boolean> {
    const result = await this.#store.db
      .updateTable('sessions')
      .set({ expires_at: expiresAt })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', at)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  /** Another token and expiry for a session that is live at `at`; false when there is no such session. */
  async replaceToken(
    tenant: string,
    id: string,
    at: number,
    { tokenHash, expiresAt }: { readonly tokenHash: string; readonly expiresAt: number },
  ): Promise<boolean> {
    const result = await this.#store.db
      .updateTable('sessions')
      .set({ token_hash: tokenHash, expires_at: expiresAt })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', at)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  /** Ends a session once: the session for the call that ended it, undefined for all others. */
  async end(tenant: string, id: string, at: number, reason: string): Promise<SessionRecord | undefined> {
    const row = await this.#store.db
      .updateTable('sessions')
      .set({ ended_at: at, end_reason: reason })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    return row && toRecord(row);
  }

  /** Ends every session that is not ended yet, of every tenant. Returns those that this call ended. */
  async endAll(at: number, reason: string): Promise<readonly SessionRecord[]> {
    const rows = await this.#store.db
      .updateTable('sessions')
      .set({ ended_at: at, end_reason: reason })
      .where('ended_at', 'is', null)
      .returningAll()
      .execute();
    return rows.map(toRecord);
  }

  /** Ends what has expired by `at`, of every tenant. Returns those that this call ended, 500 at most. */
  async endExpired(at: number): Promise<readonly SessionRecord[]> {
    const rows = await this.#store.db
      .updateTable('sessions')
      .set({ ended_at: at, end_reason: 'expired' })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('sessions')
          .select('id')
          .where('ended_at', 'is', null)
          .where('expires_at', '<=', at)
          .limit(500),
      )
      .where('ended_at', 'is', null)
      .where('expires_at', '<=', at)
      .returningAll()
      .execute();
    return rows.map(toRecord);
  }

  async #page(
    tenant: string | undefined,
    page: PageRequest | undefined,
    filter: SessionFilter | undefined,
  ): Promise<Page<SessionRecord>> {
    const plan = planPage(page);
    const { db } = this.#store;
    let query = filter?.liveAt === undefined ? db.selectFrom('sessions') : liveSessions(db, filter.liveAt);
    if (tenant !== undefined) query = query.where('tenant', '=', tenant);
    if (plan.before !== undefined) query = query.where('id', '<', plan.before);
    const rows = await query
      .selectAll()
      .orderBy('id', 'desc')
      .limit(plan.limit + 1)
      .execute();
    return toPage(plan, rows, toRecord);
  }
}

function liveSessions(db: Kysely<Database>, at: number) {
  return db.selectFrom('sessions').where('ended_at', 'is', null).where('expires_at', '>', at);
}
