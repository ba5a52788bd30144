import { SallyportError } from '@sallyport/protocol';
import { type Dialect, Kysely } from 'kysely';
import type { FileProblem } from '../shared/held-file.ts';
import { DatabaseFiles } from '../shared/sqlite/database-files.ts';
import { openSqliteConnection } from '../shared/sqlite/sqlite-connection.ts';
import { explainSqliteError } from '../shared/sqlite/sqlite-errors.ts';
import { migrate } from './migrate.ts';
import { createPostgresAccess, postgresLocation } from './postgres/postgres-dialect.ts';
import { explainPostgresError } from './postgres/postgres-errors.ts';
import { NodeSqliteDialect } from './sqlite/sqlite-dialect.ts';
import type { Database, Store } from './store.ts';

/** Where the data is: exactly one of the two. */
export type StoreLocation =
  | { readonly sqliteFile: string; readonly url?: undefined }
  | { readonly url: string; readonly sqliteFile?: undefined };

/**
 * Opens the store and runs every migration.
 *
 * Throws `StoreTooNew` for a database of a newer version, and `StoreUnusable` (what is wrong, what to do)
 * when it cannot be reached, read or written. Nothing stays open after a throw.
 */
export async function openStore(where: StoreLocation): Promise<Store> {
  return where.sqliteFile === undefined ? openPostgresStore(where.url) : openSqliteStore(where.sqliteFile);
}

async function openSqliteStore(file: string): Promise<Store> {
  const db = openSqliteConnection(file);
  const copyLog = (): void => db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  let files: DatabaseFiles;
  try {
    // What a killed gateway left: as long as it is not copied, nobody can tell a copy under way from another change.
    copyLog();
    files = new DatabaseFiles(file, {
      rescue: () => {
        if (!db.isOpen || db.isTransaction) return false;
        copyLog();
        return true;
      },
    });
  } catch (error) {
    db.close();
    throw explainSqliteError(error, file) ?? error;
  }
  const dialect = new NodeSqliteDialect(db, files);
  return migrated('sqlite', dialect, file, {
    explain: (error) => explainSqliteError(error, file),
    problem: () => files.problem(),
  });
}

async function openPostgresStore(url: string): Promise<Store> {
  const location = postgresLocation(url);
  const { dialect, drained } = await createPostgresAccess(url, location);
  const store = await migrated('postgres', dialect, location, {
    explain: (error) => explainPostgresError(error, location),
    problem: () => undefined,
  });
  // A pool that ends forgets those who still queue for a connection: they must have theirs first.
  return { ...store, close: () => drained().then(store.close) };
}

interface StoreParts {
  readonly explain: (error: unknown) => SallyportError | undefined;
  readonly problem: () => FileProblem | undefined;
}

async function migrated(
  engine: Store['engine'],
  dialect: Dialect,
  location: string,
  { explain, problem }: StoreParts,
): Promise<Store> {
  const db = new Kysely<Database>({ dialect });
  try {
    await migrate(db, location);
  } catch (error) {
    await db.destroy();
    throw error instanceof SallyportError ? error : (explain(error) ?? error);
  }
  let closing: Promise<void> | undefined;
  return {
    engine,
    db,
    location,
    problem,
    close: () => {
      closing ??= db.destroy();
      return closing;
    },
  };
}
