import type { DatabaseSync } from 'node:sqlite';
import {
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { DatabaseFiles } from '../../shared/sqlite/database-files.ts';
import { SqliteDriver } from './sqlite-driver.ts';

/** Kysely's SQLite dialect over `node:sqlite`: no native addon. Closes both when Kysely is destroyed. */
export class NodeSqliteDialect implements Dialect {
  readonly #db: DatabaseSync;
  readonly #files: DatabaseFiles;

  constructor(db: DatabaseSync, files: DatabaseFiles) {
    this.#db = db;
    this.#files = files;
  }

  createDriver(): Driver {
    return new SqliteDriver(this.#db, this.#files);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/**
 * SQLite does have transactional DDL. Saying so makes Kysely migrate inside one `begin immediate`, which is
 * also the lock between two processes that start at once, and a crash half way leaves nothing behind.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
