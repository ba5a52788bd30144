import { SallyportError } from '@sallyport/protocol/error';

// https://www.sqlite.org/rescode.html: the low byte is the primary code.
const BUSY = 5;
const NOMEM = 7;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** Primary SQLite result code of an error that `node:sqlite` threw; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** Whether another connection held the lock, so that trying again is sensible. */
export function isSqliteBusy(error: unknown): boolean {
  return sqliteCode(error) === BUSY;
}

/**
 * The `StoreUnusable` that tells an operator what is wrong with `file` and what to do.
 *
 * Undefined for errors that are not about the file (a constraint, a mistake in a query): those stay what they are.
 */
export function explainSqliteError(error: unknown, file: string): SallyportError | undefined {
  const explained = explain(sqliteCode(error), file);
  return explained && new SallyportError('StoreUnusable', { ...explained, cause: error });
}

function explain(code: number | undefined, file: string): { message: string; hint: string } | undefined {
  switch (code) {
    case BUSY:
      return {
        message: `another process holds the lock of \`${file}\``,
        hint: 'stop the other process (`sallyport status` names it), then try again',
      };
    case READONLY:
      return {
        message: `\`${file}\` cannot be written`,
        hint: 'make the file and its folder writable for the user that runs the gateway',
      };
    case FULL:
      return { message: `the disk that holds \`${file}\` is full`, hint: 'free disk space, then try again' };
    case CORRUPT:
    case NOTADB:
      return {
        message: `\`${file}\` is damaged or not a Sallyport database`,
        hint: 'restore it from a backup, or move it away to start with an empty one',
      };
    case CANTOPEN:
      return {
        message: `\`${file}\` cannot be opened`,
        hint: 'check that its folder exists and belongs to the user that runs the gateway',
      };
    case IOERR:
    case NOMEM:
      return {
        message: `reading or writing \`${file}\` failed`,
        hint: 'check disk and memory of this machine (`dmesg`, `df`), then try again',
      };
    // open: any code of SQLite
    default:
      return undefined;
  }
}
