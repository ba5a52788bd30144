import { accessSync, chmodSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SallyportError } from '@sallyport/protocol/error';
import { rememberDatabase } from './held-by-sqlite.ts';
import { explainSqliteError, isSqliteBusy } from './sqlite-errors.ts';

/**
 * Of a new database; one that exists keeps its own. An event is 1.6 KB: in pages of 4 KB, SQLite's default, there are two
 * and much air, and every page is two writes to the log. A sixth less CPU for the thread that writes them.
 */
const PAGE_BYTES = 8_192;

/** How long a connection waits for the lock of another one, in `ms` */
export const SQLITE_BUSY_MS = 5_000;

/**
 * Opens a raw connection with the pragmas that every connection to the store must have.
 *
 * Promises: WAL, `synchronous=FULL` (a committed write survives power loss), foreign keys on, the file and
 * its `-wal` and `-shm` readable by the owner only. Throws `StoreUnusable` with what is wrong and what to do.
 * Runs no migration: `openStore` has done that before anyone else opens the file.
 */
export function openSqliteConnection(file: string): DatabaseSync {
  try {
    makeOwnFile(file);
  } catch (error) {
    throw new SallyportError('StoreUnusable', {
      message: `\`${file}\` cannot be opened for writing${fsReason(error)}`,
      hint: 'check that its folder exists and belongs to the user that runs the gateway',
      cause: error,
    });
  }
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout: SQLITE_BUSY_MS, enableForeignKeyConstraints: true });
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    enterWal(db);
    db.exec('PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF');
    // Reads the schema, so that a damaged file shows now and not at the first query.
    db.exec('SELECT count(*) FROM sqlite_schema');
    return db;
  } catch (error) {
    db?.close();
    throw explainSqliteError(error, file) ?? error;
  }
}

/** A connection that cannot change anything. Throws SQLite's own error. */
export function openSqliteReader(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: SQLITE_BUSY_MS });
}

/** A database that is one file and has no log beside it: a backup. Throws SQLite's own error. */
export function openSqliteSingleFile(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: SQLITE_BUSY_MS });
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF');
  return db;
}

/**
 * Makes the file of a database, if there is none, and lets its owner alone read it. SQLite gives `-wal` and `-shm` the
 * mode of the database, so this one mode covers all three.
 *
 * INVARIANT: never opens a file that is there [TR-6]. A process loses all its locks on a file when it closes any descriptor
 * of it (POSIX), on whatever thread; another program then takes itself for the last one and removes the log under us.
 */
export function makeOwnFile(file: string): void {
  rememberDatabase(file);
  try {
    // `x`: fails, without opening it, when the file is there.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (!statSync(file).isFile()) throw Object.assign(new Error('it is no file'), { code: 'EISDIR' });
  }
  chmodSync(file, 0o600);
  accessSync(file, constants.R_OK | constants.W_OK);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function fsReason(error: unknown): string {
  const code = codeOf(error);
  return code === undefined ? '' : ` (${code})`;
}

// Two processes that start at once both switch a new file to WAL, and for that lock SQLite does not call
// its busy handler: it has to be tried again by hand.
function enterWal(db: DatabaseSync): void {
  const deadline = Date.now() + SQLITE_BUSY_MS;
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isSqliteBusy(error) || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}
