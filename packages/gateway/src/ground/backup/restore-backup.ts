import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { SallyportError } from '@sallyport/protocol';
import { type HomePaths, prepareHome, takeHomeLock } from '../../config/index.ts';
import { openSqliteReader, openSqliteSingleFile } from '../../shared/sqlite/sqlite-connection.ts';
import { explainSqliteError } from '../../shared/sqlite/sqlite-errors.ts';
import { openStore } from '../../store/index.ts';
import { type AboutBackup, dropFiles, readFiles, SEALED_KEYS } from './backup-file.ts';
import { DATABASE, finishRestore, PLAN, READY, syncFolder } from './finish-restore.ts';
import { copyDatabase } from './make-backup.ts';
import { openKeys } from './sealed-keys.ts';

const PARTIAL = 'restore.partial';

export interface RestoreRequest {
  readonly file: string;
  readonly paths: HomePaths;
  readonly now: number;
  /** asked when the backup has keys; undefined leaves those of the home */
  readonly passphrase: () => Promise<string | undefined>;
}

export interface Restored {
  readonly about: AboutBackup;
  /** where that is now which was there before; undefined when there was nothing */
  readonly before: string | undefined;
  readonly hasKeys: boolean;
}

/**
 * Puts a backup in the place of what the home has. All of it is written beside it first; then one rename says that it is
 * whole, and from there on every start finishes what a killed one began. Before that rename nothing has changed.
 *
 * Throws `HomeInUse` while a gateway runs, `Unprocessable` for what is no whole backup, `StoreTooNew` for one of a newer version.
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { paths, now } = request;
  const file = resolve(request.file);
  if (!existsSync(file)) throw new SallyportError('NotFound', { message: `there is no file \`${file}\`` });
  const { about, files } = readBackup(file);
  const sealed = files.get(SEALED_KEYS);
  const passphrase = sealed === undefined ? undefined : await request.passphrase();
  const keys = sealed === undefined || passphrase === undefined ? undefined : openKeys(sealed, passphrase);

  prepareHome(paths);
  const lock = takeHomeLock(paths.home);
  try {
    finishRestore(paths.home);
    const partial = join(paths.home, PARTIAL);
    rmSync(partial, { recursive: true, force: true });
    try {
      mkdirSync(partial, { mode: 0o700 });
      if (about.database) await stageDatabase(file, join(partial, DATABASE));
      for (const [name, bytes] of [...files, ...(keys ?? [])])
        if (name !== SEALED_KEYS) stageFile(join(partial, name), bytes);
      const before = `before-restore-${new Date(now).toISOString().replaceAll(':', '')}`;
      stageFile(join(partial, PLAN), Buffer.from(JSON.stringify({ before })));
      syncFolder(partial);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      throw explained(error, file, paths.home);
    }
    renameSync(partial, join(paths.home, READY));
    syncFolder(paths.home);
    return { about, before: finishRestore(paths.home), hasKeys: keys !== undefined };
  } finally {
    lock.release();
  }
}

function readBackup(file: string): ReturnType<typeof readFiles> {
  let db: DatabaseSync | undefined;
  try {
    db = openSqliteReader(file);
    return readFiles(db, file);
  } catch (error) {
    throw explainSqliteError(error, file) ?? error;
  } finally {
    db?.close();
  }
}

/** The copy is opened as a gateway would, which brings an older one to this version and refuses a newer one. */
async function stageDatabase(backup: string, staged: string): Promise<void> {
  closeSync(openSync(staged, 'wx', 0o600));
  await copyDatabase(backup, staged);
  const db = openSqliteSingleFile(staged);
  try {
    dropFiles(db);
  } finally {
    db.close();
  }
  await (await openStore({ sqliteFile: staged })).close();
}

function stageFile(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function explained(error: unknown, file: string, home: string): unknown {
  if (error instanceof SallyportError && error.code === 'StoreTooNew')
    return new SallyportError('StoreTooNew', {
      message: `\`${file}\` was made by a newer Sallyport; nothing was changed`,
      hint: 'install that version, or take an older backup',
      cause: error,
    });
  const known = error instanceof SallyportError ? error : explainSqliteError(error, home);
  const why = known?.message ?? (error instanceof Error ? error.message : String(error));
  return new SallyportError('Unprocessable', {
    message: `it could not be put into \`${home}\`, where nothing was changed: ${why}`,
    ...(known?.hint === undefined ? {} : { hint: known.hint }),
    cause: error,
  });
}
