import { sql } from 'kysely';
import type { Lease, Leases } from '../coordination.ts';
import { NOW, type SharedDatabase } from './shared-database.ts';

/**
 * A row for each lease, with the server's time. A holder that is killed, or whose machine is gone, loses it when its time
 * is over; a lock that belongs to a connection would stay until the server notices that nobody is there.
 */
export class PostgresLeases implements Leases {
  readonly #db: SharedDatabase;
  /** for people who look at the table */
  readonly #holder: string;

  constructor(db: SharedDatabase, holder: string) {
    this.#db = db;
    this.#holder = holder;
  }

  async take(name: string, ms: number): Promise<Lease | undefined> {
    const row = await this.#db.first<{ readonly fence: number }>(sql`
      insert into coordination_leases as l (name, holder, fence, expires_at)
      values (${name}, ${this.#holder}, 1, ${NOW} + ${ms}::bigint)
      on conflict (name) do update set
        holder = excluded.holder, fence = l.fence + 1, expires_at = excluded.expires_at
        where l.expires_at <= excluded.expires_at - ${ms}::bigint
      returning l.fence`);
    if (row === undefined) return undefined;
    const { fence } = row;
    return {
      fence,
      renew: async () => {
        const renewed = await this.#db.first(sql`
          update coordination_leases set expires_at = ${NOW} + ${ms}::bigint
          where name = ${name} and fence = ${fence}::bigint and expires_at > ${NOW} returning 1`);
        return renewed !== undefined;
      },
      // The row stays, so that the next number is a larger one.
      release: async () => {
        await this.#db.rows(sql`
          update coordination_leases set expires_at = 0 where name = ${name} and fence = ${fence}::bigint`);
      },
    };
  }

  async isHeld(name: string, fence: number): Promise<boolean> {
    const row = await this.#db.first(sql`
      select 1 from coordination_leases
      where name = ${name} and fence = ${fence}::bigint and expires_at > ${NOW}`);
    return row !== undefined;
  }
}
