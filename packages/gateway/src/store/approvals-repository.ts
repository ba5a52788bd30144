import { type Page, type PageRequest, planPage, toPage } from './page.ts';
import type { Store } from './store.ts';
import type { ApprovalMessagesTable, ApprovalsTable } from './tables/approval-tables.ts';

export type ApprovalRow = Readonly<ApprovalsTable>;
export type ApprovalMessageRow = Readonly<ApprovalMessagesTable>;

export interface ApprovalFilter {
  readonly tenant?: string;
  readonly client?: string;
  readonly status?: string;
}

/** A client's own name for a request, and what it asked with it. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: string;
}

/** How an approval ends, as columns. */
export type Ending = Pick<ApprovalRow, 'status' | 'ended_at'> &
  Partial<Pick<ApprovalRow, 'decision' | 'decided_by' | 'decided_via' | 'decided_at' | 'agreed'>> & {
    readonly cancel_reason?: string;
  };

const CHUNK = 500;

/** Rows of `approvals`. Every change of a status is a compare-and-set: of two, exactly one succeeds. */
export class ApprovalsRepository {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Stores a new one; with a key that the client used before, nothing is stored and the first one comes back. */
  async insert(row: ApprovalRow, idempotency?: IdempotencyKey): Promise<KeyedApproval | undefined> {
    if (idempotency === undefined || row.client === null) {
      await this.#store.db.insertInto('approvals').values(row).execute();
      return undefined;
    }
    const { tenant, client, id, created_at } = row;
    const { key, requestHash: request_hash } = idempotency;
    return this.#store.db.transaction().execute(async (db) => {
      const inserted = await db
        .insertInto('idempotency_keys')
        .values({ tenant, client, key, request_hash, approval_id: id, created_at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 1n) {
        await db.insertInto('approvals').values(row).execute();
        return undefined;
      }
      return findKeyed(db, tenant, client, key);
    });
  }

  async findKeyed(tenant: string, client: string, key: string): Promise<KeyedApproval | undefined> {
    return findKeyed(this.#store.db, tenant, client, key);
  }

  async forgetKeys(before: number): Promise<void> {
    await this.#store.db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute();
  }

  /** Of whatever tenant: the caller compares it with what it may see. */
  async find(id: string): Promise<ApprovalRow | undefined> {
    return this.#store.db.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
  }

  async findMany(ids: readonly string[]): Promise<readonly ApprovalRow[]> {
    const rows: ApprovalRow[] = [];
    for (let start = 0; start < ids.length; start += CHUNK) {
      const chunk = ids.slice(start, start + CHUNK);
      rows.push(
        ...(await this.#store.db.selectFrom('approvals').selectAll().where('id', 'in', chunk).execute()),
      );
    }
    return rows;
  }

  /** Newest first. */
  async list(filter: ApprovalFilter, page?: PageRequest): Promise<Page<ApprovalRow>> {
    const plan = planPage(page);
    let query = this.#store.db
      .selectFrom('approvals')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(plan.limit + 1);
    if (filter.tenant !== undefined) query = query.where('tenant', '=', filter.tenant);
    if (filter.client !== undefined) query = query.where('client', '=', filter.client);
    if (filter.status !== undefined) query = query.where('status', '=', filter.status);
    if (plan.before !== undefined) query = query.where('id', '<', plan.before);
    return toPage(plan, await query.execute(), (row) => row);
  }

  async countPending(tenant: string, client: string | undefined, now: number): Promise<number> {
    let query = this.#store.db
      .selectFrom('approvals')
      .select(({ fn }) => fn.countAll<number | bigint | string>().as('count'))
      .where('tenant', '=', tenant)
      .where('status', '=', 'pending')
      .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));
    if (client !== undefined) query = query.where('client', '=', client);
    return Number((await query.executeTakeFirstOrThrow()).count);
  }

  /** Ends a pending one that has not expired by `now`. Undefined when somebody else was first. */
  async end(id: string, ending: Ending, now: number, agreed?: string): Promise<ApprovalRow | undefined> {
    let query = this.#store.db
      .updateTable('approvals')
      .set({ ...ending, settled: 0 })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));
    if (agreed !== undefined) query = query.where('agreed', '=', agreed);
    return query.returningAll().executeTakeFirst();
  }

  /** Cancels a pending one, expired or not. */
  async cancel(id: string, reason: string, now: number): Promise<ApprovalRow | undefined> {
    return this.#store.db
      .updateTable('approvals')
      .set({ status: 'cancelled', settled: 0, cancel_reason: reason, ended_at: now })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
  }

  /** One more person agreed. False when the list, or the status, had changed meanwhile. */
  async agree(id: string, before: string, after: string): Promise<boolean> {
    const result = await this.#store.db
      .updateTable('approvals')
      .set({ agreed: after })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('agreed', '=', before)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  /** It is in the trail now, and counts. */
  async settle(id: string, answeredBy: string | null): Promise<void> {
    await this.#store.db
      .updateTable('approvals')
      .set({ settled: 1, ...(answeredBy === null ? {} : { answered_by: answeredBy }) })
      .where('id', '=', id)
      .where('settled', '=', 0)
      .execute();
  }

  /** Takes back an ending that could not be recorded. */
  async reopenUnsettled(id: string): Promise<void> {
    await this.#store.db
      .updateTable('approvals')
      .set({ ...REOPENED, settled: 1 })
      .where('id', '=', id)
      .where('settled', '=', 0)
      .execute();
  }

  /** A caller came back with the same question: it is pending again. False when it was answered meanwhile. */
  async takeOver(row: ApprovalRow): Promise<boolean> {
    const { owner, fingerprint, binding, action_id, question, created_at, expires_at } = row;
    const result = await this.#store.db
      .updateTable('approvals')
      .set({
        ...REOPENED,
        settled: 1,
        owner,
        fingerprint,
        binding,
        action_id,
        question,
        created_at,
        expires_at,
      })
      .where('id', '=', row.id)
      .where('status', '=', 'cancelled')
      .where('settled', '=', 1)
      .where('answered_by', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  /** Keeps the answer "allow if it asks again" for one person only. */
  async claimAgain(id: string, by: string): Promise<boolean> {
    const result = await this.#store.db
      .updateTable('approvals')
      .set({ answered_by: by })
      .where('id', '=', id)
      .where('status', '=', 'cancelled')
      .where('answered_by', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  /** Expires what is due; each row once, whoever sweeps. */
  async expireDue(now: number): Promise<readonly ApprovalRow[]> {
    return this.#store.db
      .updateTable('approvals')
      .set({ status: 'expired', settled: 0, ended_at: now })
      .where('status', '=', 'pending')
      .where('expires_at', '<=', now)
      .returningAll()
      .execute();
  }

  /** Cancels what callers of this gateway waited for before it stopped. */
  async cancelBlocked(owner: string, reason: string, now: number): Promise<readonly ApprovalRow[]> {
    return this.#store.db
      .updateTable('approvals')
      .set({ status: 'cancelled', settled: 0, cancel_reason: reason, ended_at: now })
      .where('status', '=', 'pending')
      .where('owner', '=', owner)
      .where('blocked', '=', 1)
      .returningAll()
      .execute();
  }

  async cancelAll(reason: string, now: number): Promise<readonly ApprovalRow[]> {
    return this.#store.db
      .updateTable('approvals')
      .set({ status: 'cancelled', settled: 0, cancel_reason: reason, ended_at: now })
      .where('status', '=', 'pending')
      .returningAll()
      .execute();
  }

  async cancelOfSession(session: string, reason: string, now: number): Promise<readonly ApprovalRow[]> {
    return this.#store.db
      .updateTable('approvals')
      .set({ status: 'cancelled', settled: 0, cancel_reason: reason, ended_at: now })
      .where('session', '=', session)
      .where('status', '=', 'pending')
      .returningAll()
      .execute();
  }

  /** Ended, but not in the trail yet: work that a crash or a full disk left behind. */
  async unsettled(owner: string, endedBefore: number): Promise<readonly ApprovalRow[]> {
    return this.#store.db
      .selectFrom('approvals')
      .selectAll()
      .where('owner', '=', owner)
      .where('settled', '=', 0)
      .where('status', '!=', 'pending')
      .where('ended_at', '<=', endedBefore)
      .limit(CHUNK)
      .execute();
  }

  /** The pending question of this session that nobody waits for, about the same. */
  async findSame(
    tenant: string,
    session: string,
    fingerprint: string,
    now: number,
  ): Promise<ApprovalRow | undefined> {
    return this.#store.db
      .selectFrom('approvals')
      .selectAll()
      .where('session', '=', session)
      .where('status', '=', 'pending')
      .where('tenant', '=', tenant)
      .where('fingerprint', '=', fingerprint)
      .where('blocked', '=', 0)
      .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  }

  /** Pending ones of this gateway, oldest first. */
  async pendingOf(owner: string, limit: number): Promise<readonly ApprovalRow[]> {
    return this.#store.db
      .selectFrom('approvals')
      .selectAll()
      .where('status', '=', 'pending')
      .where('owner', '=', owner)
      .orderBy('id')
      .limit(limit)
      .execute();
  }
}

/** What a key stands for. */
export interface KeyedApproval {
  readonly requestHash: string;
  readonly approval: ApprovalRow;
}

const REOPENED = {
  status: 'pending',
  decision: null,
  decided_by: null,
  decided_via: null,
  decided_at: null,
  cancel_reason: null,
  ended_at: null,
  agreed: '[]',
} as const;

async function findKeyed(
  db: Store['db'],
  tenant: string,
  client: string,
  key: string,
): Promise<KeyedApproval | undefined> {
  const known = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'approval_id'])
    .where('tenant', '=', tenant)
    .where('client', '=', client)
    .where('key', '=', key)
    .executeTakeFirst();
  if (known === undefined) return undefined;
  const approval = await db
    .selectFrom('approvals')
    .selectAll()
    .where('id', '=', known.approval_id)
    .executeTakeFirst();
  return approval && { requestHash: known.request_hash, approval };
}
