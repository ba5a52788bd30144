import { existsSync } from 'node:fs';
import { openSqliteReader } from '../shared/sqlite/sqlite-connection.ts';
import { explainSqliteError } from '../shared/sqlite/sqlite-errors.ts';
import { MIGRATIONS } from './migrations/index.ts';

/** What stands between a database and this version. */
export interface StoreNeeds {
  /** migrations that the next start runs */
  readonly pending: readonly string[];
  /** migrations of a newer version: this one does not open it */
  readonly unknown: readonly string[];
}

/** Looks, and changes nothing; undefined when there is no database. Throws `StoreUnusable`. */
export function storeNeeds(file: string): StoreNeeds | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const db = openSqliteReader(file);
    try {
      const has = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'").get();
      const rows = has === undefined ? [] : db.prepare('SELECT name FROM kysely_migration').all();
      const done = new Set(rows.map(({ name }) => String(name)));
      const known = Object.keys(MIGRATIONS);
      return {
        pending: known.filter((name) => !done.has(name)),
        unknown: [...done].filter((name) => !known.includes(name)),
      };
    } finally {
      db.close();
    }
  } catch (error) {
    throw explainSqliteError(error, file) ?? error;
  }
}
