import { SallyportError } from '@sallyport/protocol';
import type { Selectable } from 'kysely';
import { type Page, type PageRequest, planPage, toPage } from './page.ts';
import type { Store } from './store.ts';
import type { ApiKeysTable } from './tables/identity-tables.ts';

/** An API key as it may be shown: never the key, never its hash. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly tenant: string;
  readonly clientId: string;
  readonly name: string;
  readonly createdAt: number;
  readonly revokedAt: number | undefined;
}

/** Rows of `api_keys`. Every method but `findLive` sees one tenant only. */
export class ApiKeysRepository {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Throws `Conflict` when the same key is stored already. */
  async insert(key: Omit<ApiKeyRecord, 'revokedAt'> & { readonly hash: string }): Promise<ApiKeyRecord> {
    const row = {
      id: key.id,
      tenant: key.tenant,
      client_id: key.clientId,
      name: key.name,
      hash: key.hash,
      created_at: key.createdAt,
      revoked_at: null,
    };
    const inserted = await this.#store.db
      .insertInto('api_keys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw new SallyportError('Conflict');
    return toRecord(row);
  }

  /** The key with this hash, of whatever tenant: who holds the key proves the tenant with it. */
  async findLive(hash: string): Promise<ApiKeyRecord | undefined> {
    const row = await this.#store.db
      .selectFrom('api_keys')
      .selectAll()
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return row && toRecord(row);
  }

  async list(tenant: string, page?: PageRequest): Promise<Page<ApiKeyRecord>> {
    const plan = planPage(page);
    let query = this.#store.db.selectFrom('api_keys').selectAll().where('tenant', '=', tenant);
    if (plan.before !== undefined) query = query.where('id', '<', plan.before);
    const rows = await query
      .orderBy('id', 'desc')
      .limit(plan.limit + 1)
      .execute();
    return toPage(plan, rows, toRecord);
  }

  /** The key that was revoked by this call; undefined when the tenant has no such live key. */
  async revoke(tenant: string, id: string, at: number): Promise<ApiKeyRecord | undefined> {
    const row = await this.#store.db
      .updateTable('api_keys')
      .set({ revoked_at: at })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    return row && toRecord(row);
  }
}

function toRecord(row: Selectable<ApiKeysTable>): ApiKeyRecord {
  return {
    id: row.id,
    tenant: row.tenant,
    clientId: row.client_id,
    name: row.name,
    createdAt: row.created_at,
    revokedAt: row.revoked_at ?? undefined,
  };
}
