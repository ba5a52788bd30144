import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup } from 'node:sqlite';
import { SallyportError } from '@sallyport/protocol';
import { type HomePaths, loadConfig, type Variables } from '../../config/index.ts';
import { openSqliteReader, openSqliteSingleFile } from '../../shared/sqlite/sqlite-connection.ts';
import { explainSqliteError } from '../../shared/sqlite/sqlite-errors.ts';
import { addFiles, JOURNAL, SEALED_KEYS } from './backup-file.ts';
import { contentsOf, readEntry } from './home-entries.ts';
import { sealKeys } from './sealed-keys.ts';

/** In one step: one moment of the database, and nobody who writes to it makes us begin again. */
const ALL_PAGES = 2 ** 31 - 1;

export interface BackupRequest {
  readonly paths: HomePaths;
  readonly env: Variables;
  /** a file that is not there yet, or a folder that is */
  readonly target: string;
  readonly version: string;
  readonly now: number;
  /** undefined: without the keys */
  readonly passphrase: string | undefined;
}

export interface MadeBackup {
  readonly file: string;
  readonly bytes: number;
  readonly keys: readonly string[];
  readonly hasDatabase: boolean;
  readonly leftOut: readonly string[];
}

/**
 * Writes a backup of the home, whether its gateway runs or not: whole, or not at all. In a process of its own, never in a
 * gateway's.
 *
 * INVARIANT: the journal is read before the database. What was acknowledged until then is in one of the two; the other way
 * round, what moved from the journal into the chain meanwhile would be in neither.
 */
export async function makeBackup(request: BackupRequest): Promise<MadeBackup> {
  const { paths, env, version, now, passphrase } = request;
  const hasDatabase = existsSync(paths.database) && !isElsewhere(paths, env);
  if (!hasDatabase && !isElsewhere(paths, env))
    throw new SallyportError('HomeUnusable', {
      message: `there is nothing to back up in \`${paths.home}\``,
      hint: 'name the home of the gateway with `--home` or SALLYPORT_HOME',
    });
  const file = fileFor(request.target, now);
  const { entries, leftOut } = contentsOf(paths.home);
  const named = entries.map((entry) => ({ ...entry, bytes: readEntry(paths.home, entry) }));
  const files = new Map(named.filter(({ kind }) => kind === 'plain').map(({ name, bytes }) => [name, bytes]));
  const keys = new Map(named.filter(({ kind }) => kind === 'key').map(({ name, bytes }) => [name, bytes]));
  if (passphrase !== undefined) files.set(SEALED_KEYS, sealKeys(keys, passphrase));
  if (existsSync(paths.auditJournal)) files.set(JOURNAL, readFileSync(paths.auditJournal));

  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  try {
    // SECURITY: for its owner alone, before anything is in it.
    closeSync(openSync(partial, 'wx', 0o600));
    if (hasDatabase) await copyDatabase(paths.database, partial);
    const about = { version, made_at: new Date(now).toISOString(), home: paths.home, database: hasDatabase };
    const db = openSqliteSingleFile(partial);
    try {
      addFiles(db, about, files);
    } finally {
      db.close();
    }
    sync(partial);
    // A link fails where a name is taken; a rename would replace what somebody put there.
    linkSync(partial, file);
    rmSync(partial);
    sync(dirname(file));
  } catch (error) {
    throw error instanceof SallyportError ? error : notWritten(file, error);
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(partial + suffix, { force: true });
  }
  return {
    ...{ file, hasDatabase, leftOut, bytes: statSync(file).size },
    keys: passphrase === undefined ? [] : [...keys.keys()],
  };
}

/** Whether the store is a Postgres. A config that is not valid says nothing: then it is what lies in the home. */
function isElsewhere(paths: HomePaths, env: Variables): boolean {
  try {
    return loadConfig({ file: paths.config, env }).config.store.url !== undefined;
  } catch {
    return false;
  }
}

export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = openSqliteReader(from);
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
}

function fileFor(target: string, now: number): string {
  const path = resolve(target);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const moment = new Date(now).toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  const file = isFolder ? join(path, `sallyport-${moment}.backup`) : path;
  if (existsSync(file))
    throw new SallyportError('Conflict', {
      message: `\`${file}\` is there already`,
      hint: 'name another file, or a folder: then the name is the time',
    });
  if (!existsSync(dirname(file)))
    throw new SallyportError('NotFound', { message: `there is no folder \`${dirname(file)}\`` });
  return file;
}

function notWritten(file: string, error: unknown): SallyportError {
  const known = explainSqliteError(error, file);
  const why = known?.message ?? (error instanceof Error ? error.message : String(error));
  return new SallyportError('Unprocessable', {
    message: `no backup was made, and nothing is left of it: ${why}`,
    hint: known?.hint ?? 'name a file on a disk with room, in a folder that you may write to',
    cause: error,
  });
}

function sync(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
