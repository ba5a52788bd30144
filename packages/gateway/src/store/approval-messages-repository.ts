import type { ApprovalMessageRow } from './approvals-repository.ts';
import type { Store } from './store.ts';

const AT_ONCE = 500;

/** Rows of `approval_messages`: what channels delivered, and which status each message shows. */
export class ApprovalMessagesRepository {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async insert(row: ApprovalMessageRow): Promise<void> {
    await this.#store.db.insertInto('approval_messages').values(row).execute();
  }

  async of(approvalId: string): Promise<readonly ApprovalMessageRow[]> {
    return this.#store.db
      .selectFrom('approval_messages')
      .selectAll()
      .where('approval_id', '=', approvalId)
      .orderBy('id')
      .execute();
  }

  /** What the newest message to this person shows; undefined when there is none. */
  async shownTo(approvalId: string, channel: string, user: string): Promise<string | undefined> {
    const row = await this.#store.db
      .selectFrom('approval_messages')
      .select('shown')
      .where('approval_id', '=', approvalId)
      .where('channel', '=', channel)
      .where('user_name', '=', user)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.shown;
  }

  async show(id: string, status: string): Promise<void> {
    await this.#store.db
      .updateTable('approval_messages')
      .set({ shown: status })
      .where('id', '=', id)
      .execute();
  }

  /** Messages of these approvals on a channel that nobody can edit or answer any more. */
  async forget(channel: string, approvalIds: readonly string[]): Promise<void> {
    for (let from = 0; from < approvalIds.length; from += AT_ONCE) {
      await this.#store.db
        .deleteFrom('approval_messages')
        .where('channel', '=', channel)
        .where('approval_id', 'in', approvalIds.slice(from, from + AT_ONCE))
        .execute();
    }
  }

  /** Ids of approvals that ended while a message still shows them as open. */
  async stale(limit: number): Promise<readonly string[]> {
    const rows = await this.#store.db
      .selectFrom('approval_messages')
      .innerJoin('approvals', 'approvals.id', 'approval_messages.approval_id')
      .select('approvals.id')
      .distinct()
      .where('approval_messages.shown', 'like', 'pending:%')
      .where('approvals.status', '!=', 'pending')
      .where('approvals.settled', '=', 1)
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }
}
