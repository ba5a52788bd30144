import { type Kysely, sql } from 'kysely';

/** 0003 */
export async function createGrants(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('grants')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant', 'text', (c) => c.notNull())
    .addColumn('agent', 'text')
    .addColumn('client', 'text')
    .addColumn('covers', 'text', (c) => c.notNull())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('session', 'text')
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('approval_id', 'text')
    .addColumn('uses', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('ended_at', 'bigint')
    .addColumn('end_reason', 'text')
    .execute();
  await db.schema.createIndex('grants_live').on('grants').columns(['tenant', 'ended_at']).execute();
}

/**
 * 0010: grants that covered a type of actions at a whole host, repository, program or tool end here; people are shown what they
 * may give instead. From now on a grant can also be a standing no.
 */
export async function narrowGrants(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('grants')
    .addColumn('answer', 'text', (c) => c.notNull().defaultTo('yes'))
    .execute();
  await sql`update grants set ended_at = ${Date.now()}, end_reason = 'too wide'
    where ended_at is null and (covers like '{"kind":"scope"%' or covers like '{"kind":"pattern"%')`.execute(
    db,
  );
}

/** 0012: a grant may be for so many uses. */
export async function countGrants(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('grants').addColumn('uses_at_most', 'integer').execute();
}
