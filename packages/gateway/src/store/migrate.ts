import { SallyportError } from '@sallyport/protocol';
import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import { MIGRATIONS } from './migrations/index.ts';
import type { Database } from './store.ts';

/**
 * Brings the database to the newest migration, forward only.
 *
 * Safe when two processes start at once: the second waits for the first and finds nothing to do. All pending
 * migrations run in one transaction. Throws `StoreTooNew`, before it changes anything, when the database has
 * a migration that this version does not know; other failures come as the engine's own error.
 */
export async function migrate(db: Kysely<Database>, location: string): Promise<void> {
  await refuseNewer(db, location);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  // A newer gateway may have migrated between the check and the lock.
  await refuseNewer(db, location);
  throw error;
}

async function refuseNewer(db: Kysely<Database>, location: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === DEFAULT_MIGRATION_TABLE)) return;

  // The migrator's own table is not among ours, so its shape is stated here.
  const executed = await db
    .withTables<{ [DEFAULT_MIGRATION_TABLE]: { name: string } }>()
    .selectFrom(DEFAULT_MIGRATION_TABLE)
    .select('name')
    .execute();
  const unknown = executed.find(({ name }) => !Object.hasOwn(MIGRATIONS, name));
  if (unknown === undefined) return;
  throw new SallyportError('StoreTooNew', {
    message: `\`${location}\` was written by a newer Sallyport (it has \`${unknown.name}\`)`,
    hint: 'install the version that wrote it, or restore a backup from before the upgrade',
  });
}
