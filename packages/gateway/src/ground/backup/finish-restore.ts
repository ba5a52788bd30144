import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A backup that lies here is whole, and takes the place of what is in the home. */
export const READY = 'restore.ready';
export const PLAN = 'plan.json';
export const DATABASE = 'sallyport.db';
/** What belongs to the old database, and must not meet the new one. */
const COMPANIONS = ['sallyport.db-wal', 'sallyport.db-shm', 'audit.journal', 'audit'];

/**
 * Finishes a restore that has begun; does nothing where none has. With the lock of the home held, before anything of it is
 * opened. Each step may be the last one of a process: the next call goes on where it stopped.
 *
 * Returns the folder with what was there before; undefined when nothing was.
 */
export function finishRestore(home: string): string | undefined {
  const ready = join(home, READY);
  if (!existsSync(join(ready, PLAN))) {
    // The plan goes last: without it everything else is in its place.
    rmSync(ready, { recursive: true, force: true });
    return undefined;
  }
  // `as`: we wrote it, and it was whole before the folder had this name.
  const plan = JSON.parse(readFileSync(join(ready, PLAN), 'utf8')) as { readonly before: string };
  const before = join(home, plan.before);
  const setAside = (name: string): void => {
    if (!existsSync(join(home, name))) return;
    mkdirSync(dirname(join(before, name)), { recursive: true, mode: 0o700 });
    renameSync(join(home, name), freeName(join(before, name)));
  };
  // The old database goes with what belongs to it, and only then comes the new one.
  if (existsSync(join(ready, DATABASE))) for (const name of COMPANIONS) setAside(name);
  for (const name of stagedIn(ready)) {
    setAside(name);
    mkdirSync(dirname(join(home, name)), { recursive: true, mode: 0o700 });
    renameSync(join(ready, name), join(home, name));
  }
  mkdirSync(join(home, 'audit'), { recursive: true, mode: 0o700 });
  syncFolder(home);
  rmSync(join(ready, PLAN));
  rmSync(ready, { recursive: true, force: true });
  return existsSync(before) ? before : undefined;
}

/** The database last: as long as it is there, what belonged to the old one may still have to go. */
function stagedIn(ready: string): readonly string[] {
  const files = readdirSync(ready, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const names = files.map((entry) => join(entry.parentPath, entry.name).slice(ready.length + 1));
  const others = names.filter((name) => name !== PLAN && name !== DATABASE && name !== 'audit.journal');
  return [...others, ...[DATABASE, 'audit.journal'].filter((name) => names.includes(name))];
}

/** An earlier try may have set the same name aside already. */
function freeName(path: string): string {
  let free = path;
  for (let index = 2; existsSync(free); index += 1) free = `${path}.${index}`;
  return free;
}

export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
