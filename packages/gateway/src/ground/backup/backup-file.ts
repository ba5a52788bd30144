import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { SallyportError } from '@sallyport/protocol';
import { z } from 'zod';

/**
 * A backup is one file: the database of the gateway, as `sqlite3` opens it, with two tables more. One has the other files of
 * the home, one says what all of it is. There is nothing to unpack, and SQLite's own checks hold.
 */
const FILES = 'sallyport_backup_files';
const ABOUT = 'sallyport_backup';
export const JOURNAL = 'audit.journal';
export const SEALED_KEYS = 'keys.sealed';

const AboutSchema = z.strictObject({
  form: z.literal(1),
  version: z.string(),
  made_at: z.string(),
  home: z.string(),
  /** the database itself is in it; not so where the store is a Postgres */
  database: z.boolean(),
  files: z.array(
    z.strictObject({ name: z.string().regex(/^(?!.*\.\.)[\w.@ -]+(?:\/[\w.@ -]+)?$/), sha256: z.string() }),
  ),
});
export type AboutBackup = z.output<typeof AboutSchema>;

export function addFiles(
  db: DatabaseSync,
  about: Omit<AboutBackup, 'form' | 'files'>,
  files: ReadonlyMap<string, Buffer>,
): void {
  db.exec(`BEGIN;
    CREATE TABLE ${ABOUT} (about TEXT NOT NULL);
    CREATE TABLE ${FILES} (name TEXT PRIMARY KEY, bytes BLOB NOT NULL);`);
  const insert = db.prepare(`INSERT INTO ${FILES} (name, bytes) VALUES (?, ?)`);
  for (const [name, bytes] of files) insert.run(name, bytes);
  const named = [...files].map(([name, bytes]) => ({ name, sha256: digest(bytes) }));
  db.prepare(`INSERT INTO ${ABOUT} (about) VALUES (?)`).run(
    JSON.stringify({ form: 1, ...about, files: named } satisfies AboutBackup),
  );
  db.exec('COMMIT');
}

/** Reads a backup whole. Throws `Unprocessable` when it is none, or not as it was made. */
export function readFiles(
  db: DatabaseSync,
  path: string,
): { readonly about: AboutBackup; readonly files: ReadonlyMap<string, Buffer> } {
  let about: AboutBackup;
  try {
    about = AboutSchema.parse(JSON.parse(String(db.prepare(`SELECT about FROM ${ABOUT}`).get()?.about)));
  } catch (cause) {
    throw notWhole(path, 'is no backup of Sallyport, or of a newer version', cause);
  }
  const checked = db.prepare('PRAGMA quick_check(1)').get() as { quick_check?: string } | undefined;
  if (checked?.quick_check !== 'ok') throw notWhole(path, 'is damaged');
  const files = new Map<string, Buffer>();
  for (const { name, sha256 } of about.files) {
    const row = db.prepare(`SELECT bytes FROM ${FILES} WHERE name = ?`).get(name);
    const bytes = row?.bytes instanceof Uint8Array ? Buffer.from(row.bytes) : undefined;
    if (bytes === undefined || digest(bytes) !== sha256)
      throw notWhole(path, `is damaged: \`${name}\` is not whole`);
    files.set(name, bytes);
  }
  return { about, files };
}

/** What is left is the database as it was. */
export function dropFiles(db: DatabaseSync): void {
  db.exec(`DROP TABLE ${FILES}; DROP TABLE ${ABOUT}; VACUUM`);
}

function notWhole(path: string, what: string, cause?: unknown): SallyportError {
  return new SallyportError('Unprocessable', {
    message: `\`${path}\` ${what}; nothing was changed`,
    hint: 'take another backup',
    cause,
  });
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
