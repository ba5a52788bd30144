import { SallyportError } from '@sallyport/protocol';
import type { Selectable } from 'kysely';
import { type Page, type PageRequest, planPage, toPage } from './page.ts';
import type { Store } from './store.ts';
import type { EnrollmentSecretsTable } from './tables/identity-tables.ts';

/** An enrollment secret as it may be shown: never the secret, never its hash. */
export interface EnrollmentSecretRecord {
  readonly id: string;
  readonly tenant: string;
  /** undefined: opens any agent of the tenant */
  readonly agent: string | undefined;
  readonly createdAt: number;
  readonly revokedAt: number | undefined;
}

/** What a presented secret is compared with. */
export interface EnrollmentSecretHash {
  readonly id: string;
  readonly tenant: string;
  readonly agent: string | undefined;
  readonly hash: string;
}

/** Rows of `enrollment_secrets`. Every method but `liveHashes` sees one tenant only. */
export class EnrollmentSecretsRepository {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Throws `Conflict` when the same secret is stored already. */
  async insert(
    secret: Omit<EnrollmentSecretRecord, 'revokedAt'> & { readonly hash: string },
  ): Promise<EnrollmentSecretRecord> {
    const row = {
      id: secret.id,
      tenant: secret.tenant,
      agent: secret.agent ?? null,
      hash: secret.hash,
      created_at: secret.createdAt,
      revoked_at: null,
    };
    const inserted = await this.#store.db
      .insertInto('enrollment_secrets')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw new SallyportError('Conflict');
    return toRecord(row);
  }

  /**
   * Hashes of all live secrets of all tenants.
   *
   * SECURITY: of all tenants on purpose, and for comparing only: the cost of an attempt then does not depend
   * on whether the tenant that it names exists.
   */
  async liveHashes(): Promise<readonly EnrollmentSecretHash[]> {
    const rows = await this.#store.db
      .selectFrom('enrollment_secrets')
      .select(['id', 'tenant', 'agent', 'hash'])
      .where('revoked_at', 'is', null)
      .execute();
    return rows.map(({ id, tenant, agent, hash }) => ({ id, tenant, agent: agent ?? undefined, hash }));
  }

  async list(tenant: string, page?: PageRequest): Promise<Page<EnrollmentSecretRecord>> {
    const plan = planPage(page);
    let query = this.#store.db.selectFrom('enrollment_secrets').selectAll().where('tenant', '=', tenant);
    if (plan.before !== undefined) query = query.where('id', '<', plan.before);
    const rows = await query
      .orderBy('id', 'desc')
      .limit(plan.limit + 1)
      .execute();
    return toPage(plan, rows, toRecord);
  }

  async revoke(tenant: string, id: string, at: number): Promise<void> {
    await this.#store.db
      .updateTable('enrollment_secrets')
      .set({ revoked_at: at })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .execute();
  }

  /** Revokes the live secrets of the tenant for this agent (undefined: those for any agent), except `keep`. */
  async revokeFor(
    tenant: string,
    agent: string | undefined,
    at: number,
    keep?: string,
  ): Promise<readonly EnrollmentSecretRecord[]> {
    let query = this.#store.db
      .updateTable('enrollment_secrets')
      .set({ revoked_at: at })
      .where('tenant', '=', tenant)
      .where('agent', agent === undefined ? 'is' : '=', agent ?? null)
      .where('revoked_at', 'is', null);
    if (keep !== undefined) query = query.where('id', '!=', keep);
    return (await query.returningAll().execute()).map(toRecord);
  }
}

function toRecord(row: Selectable<EnrollmentSecretsTable>): EnrollmentSecretRecord {
  return {
    id: row.id,
    tenant: row.tenant,
    agent: row.agent ?? undefined,
    createdAt: row.created_at,
    revokedAt: row.revoked_at ?? undefined,
  };
}
