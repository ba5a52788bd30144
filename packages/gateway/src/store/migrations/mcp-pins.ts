import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mcp_pins')
    .addColumn('server', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('accepted_hash', 'text')
    .addColumn('accepted', 'text')
    .addColumn('accepted_at', 'bigint')
    .addColumn('accepted_by', 'text')
    .addColumn('pending_hash', 'text')
    .addColumn('pending', 'text')
    .addColumn('pending_at', 'bigint')
    .addPrimaryKeyConstraint('mcp_pins_key', ['server', 'kind', 'name'])
    .execute();
}
