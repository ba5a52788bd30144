import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openSqliteReader } from '../../shared/sqlite/sqlite-connection.ts';
import { damagedStore } from '../chain/chain-rows.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';
import type { RowReader, StoredRow } from './row-reader.ts';

const PAGE = 2_000;

/** Reads a SQLite file without any chance of changing it. Blocks: for a thread of its own. */
export class SqliteRowReader implements RowReader {
  readonly #db: DatabaseSync;
  readonly #rows: StatementSync;

  constructor(file: string) {
    this.#db = openSqliteReader(file);
    this.#rows = this.#db.prepare(
      `select seq, id, at, type, action_id, approval_id, json, prev, hash from events
       where tenant = ? and seq >= ? and seq <= ? order by seq limit ${PAGE}`,
    );
    this.#rows.setReturnArrays(true);
  }

  async *rows(tenant: string, from: number, to: number): AsyncGenerator<readonly StoredRow[]> {
    for (let next = from; next <= to; ) {
      // The statement returns arrays; what is in them is for the checks to find out.
      const page = this.#rows.all(tenant, next, to) as unknown as readonly StoredRow[];
      const last = page.at(-1);
      if (last === undefined) return;
      if (!(Number(last[0]) >= next)) throw damagedStore();
      yield page;
      next = Number(last[0]) + 1;
    }
  }

  async hashAt(tenant: string, seq: number): Promise<string | undefined> {
    const row = this.#db.prepare('select hash from events where tenant = ? and seq = ?').get(tenant, seq);
    return row === undefined ? undefined : String(row.hash);
  }

  async bytesAt(tenant: string, seq: number): Promise<Uint8Array> {
    const row = this.#db
      .prepare('select cast(json as blob) as bytes from events where tenant = ? and seq = ?')
      .get(tenant, seq);
    return row?.bytes instanceof Uint8Array ? row.bytes : new Uint8Array();
  }

  async checkpoints(tenant: string, from: number, to: number): Promise<readonly Checkpoint[]> {
    const rows = this.#db
      .prepare('select * from checkpoints where tenant = ? and seq >= ? and seq <= ? order by seq')
      .all(tenant, from, to);
    return rows.map((row) => ({
      tenant: String(row.tenant),
      seq: Number(row.seq),
      hash: String(row.hash),
      at: Number(row.at),
      key_id: String(row.key_id),
      signature: String(row.signature),
    }));
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
