import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SallyportError } from '@sallyport/protocol/error';
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
  ownerOnly(file);
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

// SECURITY: SQLite gives `-wal` and `-shm` the mode of the database file, so this one mode covers all three.
function ownerOnly(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  } catch (error) {
    throw new SallyportError('StoreUnusable', {
      message: `\`${file}\` cannot be opened for writing${fsReason(error)}`,
      hint: 'check that its folder exists and belongs to the user that runs the gateway',
      cause: error,
    });
  }
}

function fsReason(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
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
