import { sql } from 'kysely';
import type { Store } from './store.ts';

/** Which table an id belongs to, by how it begins. */
const TABLES = {
  appr: 'approvals',
  sess: 'sessions',
  grant: 'grants',
  key: 'api_keys',
  evt: 'events',
} as const;

/** Finds whole ids by their beginning, so that nobody has to copy 30 characters. */
export class IdLookup {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** At most `limit` ids that begin so, of every tenant; none for a beginning that no id has. */
  async startingWith(beginning: string, limit: number): Promise<readonly string[]> {
    const [, kind] = /^([a-z]+)_[0-9a-z]*$/.exec(beginning) ?? [];
    if (!isKind(kind)) return [];
    const { db, engine } = this.#store;
    // SQLite goes by the index. The order of Postgres is that of a language, in which a range of bytes means nothing.
    const matches =
      engine === 'sqlite'
        ? sql<boolean>`id >= ${beginning} and id < ${`${beginning}{`}`
        : sql<boolean>`starts_with(id, ${beginning})`;
    const rows = await db
      .selectFrom(TABLES[kind])
      .select('id')
      .where(matches)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }
}

function isKind(text: string | undefined): text is keyof typeof TABLES {
  return text !== undefined && Object.hasOwn(TABLES, text);
}
