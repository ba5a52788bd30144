import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the home that goes into a backup. */
export interface HomeEntry {
  /** below the home */
  readonly name: string;
  readonly kind: 'plain' | 'key';
}

/** What the next start makes anew, or what a backup holds in another form. */
const NOT_NEEDED =
  /^(?:run|spool|audit|gateway\.(?:lock|pid|log)|runtime\.json|operator\.sock|sallyport\.db(?:-wal|-shm)?|audit\.journal|restore\.(?:partial|ready)|before-restore-.*|.*\.tmp)$/;
const PLAIN = /\.(?:ya?ml|pem)$/;
const KEY = /(?:\.(?:key|secret|token)$|^secrets\/)/;

export interface HomeContents {
  readonly entries: readonly HomeEntry[];
  /** what a person might expect in a backup, and is not in it */
  readonly leftOut: readonly string[];
}

/** What of a home goes along. SECURITY: what is not known to hold no secret is a key, or stays. */
export function contentsOf(home: string): HomeContents {
  const entries: HomeEntry[] = [];
  const leftOut: string[] = [];
  for (const name of namesIn(home)) {
    if (KEY.test(name)) entries.push({ name, kind: 'key' });
    else if (PLAIN.test(name)) entries.push({ name, kind: 'plain' });
    else leftOut.push(name);
  }
  return { entries, leftOut };
}

export function readEntry(home: string, { name }: HomeEntry): Buffer {
  return readFileSync(join(home, name));
}

function namesIn(home: string): readonly string[] {
  return readdirSync(home)
    .toSorted()
    .flatMap((name) => {
      if (NOT_NEEDED.test(name)) return [];
      const stats = lstatSync(join(home, name));
      if (stats.isFile()) return [name];
      if (!stats.isDirectory()) return [];
      const inside = readdirSync(join(home, name), { withFileTypes: true });
      return name === 'secrets'
        ? inside.filter((file) => file.isFile()).map((file) => `${name}/${file.name}`)
        : [`${name}/`];
    });
}
