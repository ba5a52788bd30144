import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('approvals')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('tenant', 'text', (c) => c.notNull())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('settled', 'integer', (c) => c.notNull())
    .addColumn('blocked', 'integer', (c) => c.notNull())
    .addColumn('client', 'text')
    .addColumn('session', 'text')
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('binding', 'text', (c) => c.notNull())
    .addColumn('action_id', 'text', (c) => c.notNull())
    .addColumn('question', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('agreed', 'text', (c) => c.notNull())
    .addColumn('decision', 'text')
    .addColumn('decided_by', 'text')
    .addColumn('decided_via', 'text')
    .addColumn('decided_at', 'bigint')
    .addColumn('answered_by', 'text')
    .addColumn('cancel_reason', 'text')
    .addColumn('ended_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('approvals_open')
    .on('approvals')
    .columns(['status', 'settled', 'expires_at'])
    .execute();
  await db.schema
    .createIndex('approvals_tenant')
    .on('approvals')
    .columns(['tenant', 'client', 'status'])
    .execute();
  await db.schema.createIndex('approvals_session').on('approvals').columns(['session', 'status']).execute();

  await db.schema
    .createTable('approval_messages')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('approval_id', 'text', (c) => c.notNull())
    .addColumn('tenant', 'text', (c) => c.notNull())
    .addColumn('channel', 'text', (c) => c.notNull())
    .addColumn('user_name', 'text', (c) => c.notNull())
    .addColumn('identity', 'text', (c) => c.notNull())
    .addColumn('ref', 'text', (c) => c.notNull())
    .addColumn('shown', 'text', (c) => c.notNull())
    .addColumn('sent_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('approval_messages_of')
    .on('approval_messages')
    .columns(['approval_id'])
    .execute();
  await db.schema.createIndex('approval_messages_shown').on('approval_messages').columns(['shown']).execute();

  await db.schema
    .createTable('idempotency_keys')
    .addColumn('tenant', 'text', (c) => c.notNull())
    .addColumn('client', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('request_hash', 'text', (c) => c.notNull())
    .addColumn('approval_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['tenant', 'client', 'key'])
    .execute();
}
