import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { SallyportError } from '@sallyport/protocol';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import type { DatabaseFiles } from '../../shared/sqlite/database-files.ts';
import { SQLITE_BUSY_MS } from '../../shared/sqlite/sqlite-connection.ts';
import { explainSqliteError, isSqliteBusy } from '../../shared/sqlite/sqlite-errors.ts';

/** A lock that was not in the way for so long is another one when it is again. In `ms` */
const FREE_AGAIN_MS = 500;
/** Prepared statements kept for reuse; the query code of the gateway has fewer */
const STATEMENTS_KEPT = 256;

/**
 * Kysely over one `node:sqlite` connection. Kysely's own mutex hands it to one user at a time.
 *
 * A lock held by another connection is waited for without blocking the event loop, for 5 s at most. Nothing is written, and
 * nothing that was is acknowledged, once the files are not those that were opened [TR-7].
 */
export class SqliteDriver implements Driver {
  readonly #db: DatabaseSync;
  readonly #files: DatabaseFiles;
  readonly #connection: SqliteConnection;
  #inUse = 0;
  #idle: (() => void)[] = [];

  constructor(db: DatabaseSync, files: DatabaseFiles) {
    this.#db = db;
    this.#files = files;
    this.#connection = new SqliteConnection(db, files);
  }

  async init(): Promise<void> {
    // The connection waits on its own (below), so SQLite itself must answer "busy" at once.
    this.#db.exec('PRAGMA busy_timeout = 0');
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#inUse += 1;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#inUse -= 1;
    if (this.#inUse === 0) for (const wake of this.#idle.splice(0)) wake();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // A deferred transaction that read first cannot be upgraded once another connection wrote: take the
    // write lock at the start, where waiting for it is possible.
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has rolled back by itself after errors such as a full disk; a second rollback would hide the first error.
    if (this.#db.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  /** Waits for what is under way, including those who already queue for the connection. */
  async destroy(): Promise<void> {
    while (this.#inUse > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#connection.forget();
    if (!this.#db.isOpen) return;
    this.#db.close();
    this.#files.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #db: DatabaseSync;
  readonly #files: DatabaseFiles;
  readonly #statements = new Map<string, StatementSync>();
  /** when a lock was in the way first, and last, without a pause between; in `ms` */
  #busySince = 0;
  #busyAt = Number.NEGATIVE_INFINITY;

  constructor(db: DatabaseSync, files: DatabaseFiles) {
    this.#db = db;
    this.#files = files;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const isRead = query.query.kind === 'SelectQueryNode';
    if (!this.#db.isTransaction) this.#refuse(isRead);
    const result = await this.#runWhenFree<R>(query);
    // Whoever wrote had the lock: others use the database too, and nobody keeps it. A read says nothing about that.
    if (!isRead) this.#busyAt = Number.NEGATIVE_INFINITY;
    if (!isRead && !this.#db.isTransaction) this.#refuse(isRead);
    return result;
  }

  /** What is open can still be read when its name leads elsewhere: there may be no other copy. */
  #refuse(isRead: boolean): void {
    if (isRead && !this.#files.isUnreadable()) return;
    const problem = this.#files.problem();
    if (problem === undefined) return;
    throw new SallyportError('StoreUnusable', problem);
  }

  async #runWhenFree<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    for (let pause = 1; ; pause = Math.min(pause * 2, 16)) {
      try {
        return this.#run<R>(query);
      } catch (error) {
        if (!isSqliteBusy(error) || !this.#mayWait()) {
          throw explainSqliteError(error, this.#files.path) ?? error;
        }
      }
      await delay(pause);
    }
  }

  /** Those who queued behind one that waited in vain do not wait anew: the last of them would hear after minutes. */
  #mayWait(): boolean {
    const now = performance.now();
    if (now - this.#busyAt > FREE_AGAIN_MS) this.#busySince = now;
    this.#busyAt = now;
    return now - this.#busySince < SQLITE_BUSY_MS;
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    const statement = this.#prepare(query.sql);
    // Kysely types parameters as unknown; what SQLite cannot bind it refuses itself.
    const parameters = query.parameters as readonly SQLInputValue[];
    if (statement.columns().length > 0) {
      // The row type is what the query builder inferred.
      return { rows: statement.all(...parameters) as R[] };
    }
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) {
      // Moves it to the young end: a Map keeps the order of insertion.
      this.#statements.delete(text);
      this.#statements.set(text, known);
      return known;
    }
    const statement = this.#db.prepare(text);
    this.#statements.set(text, statement);
    if (this.#statements.size > STATEMENTS_KEPT) {
      const oldest = this.#statements.keys().next();
      if (!oldest.done) this.#statements.delete(oldest.value);
    }
    return statement;
  }

  // biome-ignore lint/correctness/useYield: the interface demands a generator, and nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported: page through the list instead');
  }

  forget(): void {
    this.#statements.clear();
  }
}
