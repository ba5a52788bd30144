import { sql } from 'kysely';
import { type Page, type PageRequest, planPage, toPage } from './page.ts';
import type { Store } from './store.ts';
import type { GrantsTable } from './tables/approval-tables.ts';

export type GrantRow = Readonly<GrantsTable>;

/** Why 0010-narrow-grants ended a grant. */
const TOO_WIDE = 'too wide';

export interface GrantFilter {
  readonly tenant?: string;
  readonly client?: string;
  readonly scope?: string;
  /** ended ones too; without it, also those that an upgrade ended: people are to see them */
  readonly ended?: boolean;
}

/** Rows of `grants`. What they mean is the gate's business. */
export class GrantsRepository {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async insert(row: GrantRow): Promise<void> {
    await this.#store.db.insertInto('grants').values(row).execute();
  }

  /** Grants that may still answer something, of one agent or client. Read from the database each time, so that
   * a revocation holds at once, whichever gateway wrote it. */
  async live(
    tenant: string,
    who: { readonly agent: string } | { readonly client: string },
  ): Promise<readonly GrantRow[]> {
    const query = this.#store.db
      .selectFrom('grants')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('ended_at', 'is', null);
    return 'agent' in who
      ? query.where('agent', '=', who.agent).orderBy('id').execute()
      : query.where('client', '=', who.client).orderBy('id').execute();
  }

  /** Uses a `once` grant up. False when somebody else did, or it was revoked meanwhile. */
  async consume(tenant: string, id: string, now: number): Promise<boolean> {
    const result = await this.#store.db
      .updateTable('grants')
      .set({ ended_at: now, end_reason: 'used', uses: sql<number>`uses + 1` })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  /** One use of a grant that is for so many. False when there is none left, or it was revoked meanwhile. */
  async useOne(tenant: string, id: string, now: number): Promise<boolean> {
    const isLast = sql`uses + 1 >= uses_at_most`;
    const result = await this.#store.db
      .updateTable('grants')
      .set({
        uses: sql<number>`uses + 1`,
        ended_at: sql<number | null>`case when ${isLast} then cast(${now} as bigint) else null end`,
        end_reason: sql<string | null>`case when ${isLast} then 'used' else null end`,
      })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where(sql<boolean>`uses < uses_at_most`)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  async addUses(tenant: string, id: string, count: number): Promise<void> {
    await this.#store.db
      .updateTable('grants')
      .set({ uses: sql<number>`uses + ${count}` })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .execute();
  }

  /** Ends a grant. False when there is none of that id, or it had ended. */
  async end(tenant: string | undefined, id: string, reason: string, now: number): Promise<boolean> {
    let query = this.#store.db
      .updateTable('grants')
      .set({ ended_at: now, end_reason: reason })
      .where('id', '=', id)
      .where((where) => where.or([where('ended_at', 'is', null), where('end_reason', '=', TOO_WIDE)]));
    if (tenant !== undefined) query = query.where('tenant', '=', tenant);
    return (await query.executeTakeFirst()).numUpdatedRows === 1n;
  }

  /** The grant of whatever tenant. For the operator side only. */
  async findOfAnyTenant(id: string): Promise<GrantRow | undefined> {
    return this.#store.db.selectFrom('grants').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** The grant that an approval left, ended or not. */
  async findOfApproval(tenant: string, approvalId: string): Promise<GrantRow | undefined> {
    return this.#store.db
      .selectFrom('grants')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('approval_id', '=', approvalId)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  }

  /** Newest first; ended ones only when asked for. */
  async list(filter: GrantFilter, page?: PageRequest): Promise<Page<GrantRow>> {
    const plan = planPage(page);
    let query = this.#store.db
      .selectFrom('grants')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(plan.limit + 1);
    if (filter.tenant !== undefined) query = query.where('tenant', '=', filter.tenant);
    if (filter.client !== undefined) query = query.where('client', '=', filter.client);
    if (filter.scope !== undefined) query = query.where('scope', '=', filter.scope);
    if (filter.ended !== true)
      query = query.where((where) =>
        where.or([where('ended_at', 'is', null), where('end_reason', '=', TOO_WIDE)]),
      );
    if (plan.before !== undefined) query = query.where('id', '<', plan.before);
    return toPage(plan, await query.execute(), (row) => row);
  }
}
