import { sql } from 'kysely';
import { sha256Hex } from '../../shared/canonical-json.ts';
import type { OneTime, OneTimeSpace } from '../coordination.ts';
import { NOW, type SharedDatabase } from './shared-database.ts';

interface Taken {
  readonly fresh: boolean;
  readonly full: boolean;
  readonly known: boolean;
}

/** A row for each name; the primary key lets one gateway be first. */
export class PostgresOneTime implements OneTime {
  readonly #db: SharedDatabase;
  readonly #space: OneTimeSpace;

  constructor(db: SharedDatabase, space: OneTimeSpace) {
    this.#db = db;
    this.#space = space;
  }

  async take(name: string, group = ''): Promise<'new' | 'seen' | 'full'> {
    const { name: space, ms, most } = this.#space;
    const digest = sha256Hex(name);
    // How many are new in this time is counted beside them: to count the rows would take longer the more there are.
    const row = await this.#db.first<Taken>(sql`
      with t as (select ${NOW} as now),
      tally as (
        select coalesce(sum(count), 0) as count from coordination_counters, t
        where space = ${space} and key = ${group} and slot = 0 and expires_at > now
      ),
      fresh as (
        insert into coordination_names as n (space, party, name, expires_at)
        select ${space}, ${group}, ${digest}, now + ${ms}::bigint from t, tally where tally.count < ${most}::bigint
        on conflict (space, party, name) do update set expires_at = excluded.expires_at
          where n.expires_at <= excluded.expires_at - ${ms}::bigint
        returning 1
      ),
      counted as (
        insert into coordination_counters as c (space, key, slot, count, expires_at)
        select ${space}, ${group}, 0, 1, now + ${ms}::bigint from t where exists (select 1 from fresh)
        on conflict (space, key, slot) do update set
          count = case when c.expires_at <= excluded.expires_at - ${ms}::bigint then 1 else c.count + 1 end,
          expires_at = case when c.expires_at <= excluded.expires_at - ${ms}::bigint
            then excluded.expires_at else c.expires_at end
      )
      select exists (select 1 from fresh) as fresh, tally.count >= ${most}::bigint as full, exists (
        select 1 from coordination_names, t
        where space = ${space} and party = ${group} and name = ${digest} and expires_at > now
      ) as known from tally`);
    if (row?.fresh === true) return 'new';
    // Not in the table when we looked, and not taken for lack of room. Else another gateway was faster.
    return row === undefined || (row.full && !row.known) ? 'full' : 'seen';
  }
}
