import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** For gateways that share a Postgres. One that is alone with its SQLite keeps all of this in memory. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  // Unlogged: counts that a crash of the server forgets are what a restart of a lone gateway forgets.
  await sql`create unlogged table coordination_counters (
    space text not null,
    key text not null,
    slot bigint not null,
    count bigint not null,
    times bigint[] not null default '{}',
    expires_at bigint not null,
    primary key (space, key, slot)
  )`.execute(db);
  await sql`create index coordination_counters_end on coordination_counters (space, expires_at)`.execute(db);
  await sql`create table coordination_names (
    space text not null,
    party text not null,
    name text not null,
    expires_at bigint not null,
    primary key (space, party, name)
  )`.execute(db);
  await sql`create index coordination_names_end on coordination_names (expires_at)`.execute(db);
  await sql`create table coordination_codes (
    space text not null,
    name text not null,
    value text not null,
    expires_at bigint not null,
    primary key (space, name)
  )`.execute(db);
  await sql`create index coordination_codes_end on coordination_codes (space, expires_at)`.execute(db);
  await sql`create table coordination_leases (
    name text primary key,
    holder text not null,
    fence bigint not null,
    expires_at bigint not null
  )`.execute(db);
}
