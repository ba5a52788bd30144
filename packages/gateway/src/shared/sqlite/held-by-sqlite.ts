import { statSync } from 'node:fs';

/** Databases that this process has opened. None is forgotten: a file that was one is no text afterwards either. */
const opened = new Set<string>();

export function rememberDatabase(file: string): void {
  opened.add(file);
}

/**
 * Whether a path leads to a file that SQLite may hold, under whatever name. Whoever reads files that people name asks before
 * they open one: to close it would drop the locks of the whole process [TR-6].
 */
export function isHeldBySqlite(path: string): boolean {
  const file = identityOf(path);
  if (file === undefined) return false;
  for (const database of opened)
    for (const suffix of ['', '-wal', '-shm']) if (identityOf(database + suffix) === file) return true;
  return false;
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    // What cannot be looked at cannot be opened either.
    return undefined;
  }
}
