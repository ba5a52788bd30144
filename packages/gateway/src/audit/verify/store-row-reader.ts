import type { Store } from '../../store/index.ts';
import { damagedStore } from '../chain/chain-rows.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';
import type { RowReader, StoredRow } from './row-reader.ts';

const PAGE = 2_000;

/** Reads through the store's own connections: for Postgres, where reading does not block. */
export class StoreRowReader implements RowReader {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async *rows(tenant: string, from: number, to: number): AsyncGenerator<readonly StoredRow[]> {
    for (let next = from; next <= to; ) {
      const page = await this.#store.db
        .selectFrom('events')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('seq', '>=', next)
        .where('seq', '<=', to)
        .orderBy('seq')
        .limit(PAGE)
        .execute();
      const rows = page.map(
        (row): StoredRow => [
          Number(row.seq),
          row.id,
          Number(row.at),
          row.type,
          row.action_id,
          row.approval_id,
          row.json,
          row.prev,
          row.hash,
        ],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      if (!(last[0] >= next)) throw damagedStore();
      yield rows;
      next = last[0] + 1;
    }
  }

  async hashAt(tenant: string, seq: number): Promise<string | undefined> {
    const row = await this.#store.db
      .selectFrom('events')
      .select('hash')
      .where('tenant', '=', tenant)
      .where('seq', '=', seq)
      .executeTakeFirst();
    return row?.hash;
  }

  /** A Postgres database in UTF-8 refuses bytes that are no text: the decoded text is exact. */
  async bytesAt(tenant: string, seq: number): Promise<Uint8Array> {
    const row = await this.#store.db
      .selectFrom('events')
      .select('json')
      .where('tenant', '=', tenant)
      .where('seq', '=', seq)
      .executeTakeFirst();
    return Buffer.from(row?.json ?? '');
  }

  async checkpoints(tenant: string, from: number, to: number): Promise<readonly Checkpoint[]> {
    const rows = await this.#store.db
      .selectFrom('checkpoints')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('seq', '>=', from)
      .where('seq', '<=', to)
      .orderBy('seq')
      .execute();
    return rows.map((row) => ({ ...row, seq: Number(row.seq), at: Number(row.at) }));
  }
}
