import { sql } from 'kysely';
import type { CounterSpace, Counters, SlidingCounters, SlidingLimit, SlidingSpace } from '../coordination.ts';
import { NOW, type SharedDatabase } from './shared-database.ts';

const MINUTE_MS = 60_000;

interface Count {
  readonly count: number;
}

/** `window` and `total`: one row for each key. The row's lock puts those who count at once in a line. */
export class PostgresCounters implements Counters {
  readonly #db: SharedDatabase;
  readonly #space: CounterSpace;

  constructor(db: SharedDatabase, space: CounterSpace) {
    this.#db = db;
    this.#space = space;
  }

  async add(key: string): Promise<number> {
    const { name, ms, over } = this.#space;
    const end =
      over === 'total'
        ? sql`excluded.expires_at`
        : sql`case when c.expires_at <= excluded.expires_at - ${ms}::bigint then excluded.expires_at else c.expires_at end`;
    const row = await this.#db.first<Count>(sql`
      insert into coordination_counters as c (space, key, slot, count, expires_at)
      values (${name}, ${key}, 0, 1, ${NOW} + ${ms}::bigint)
      on conflict (space, key, slot) do update set
        count = case when c.expires_at <= excluded.expires_at - ${ms}::bigint then 1 else c.count + 1 end,
        expires_at = ${end}
      returning c.count - 1 as count`);
    return countOf(row);
  }

  async read(key: string, ownAgoMs?: number): Promise<number> {
    const row = await this.#db.first<Count>(sql`
      select coalesce(sum(count), 0)::bigint as count from coordination_counters
      where space = ${this.#space.name} and key = ${key} and slot = 0 and expires_at > ${NOW}`);
    return without(countOf(row), ownAgoMs !== undefined);
  }
}

/** One row for each key and minute. */
export class PostgresMinutes implements Counters {
  readonly #db: SharedDatabase;
  readonly #name: string;
  readonly #minutes: number;

  constructor(db: SharedDatabase, { name, ms }: CounterSpace) {
    this.#db = db;
    this.#name = name;
    this.#minutes = ms / MINUTE_MS;
  }

  async add(key: string): Promise<number> {
    const [name, minutes] = [this.#name, this.#minutes];
    const row = await this.#db.first<Count>(sql`
      with t as (select ${NOW} / ${MINUTE_MS}::bigint as minute),
      added as (
        insert into coordination_counters as c (space, key, slot, count, expires_at)
        select ${name}, ${key}, minute, 1, (minute + ${minutes}::bigint) * ${MINUTE_MS}::bigint from t
        on conflict (space, key, slot) do update set count = c.count + 1
        returning c.slot, c.count
      )
      select added.count - 1 + coalesce((
        select sum(other.count) from coordination_counters other
        where other.space = ${name} and other.key = ${key}
          and other.slot > added.slot - ${minutes}::bigint and other.slot <> added.slot
      ), 0)::bigint as count from added`);
    return countOf(row);
  }

  async read(key: string, ownAgoMs?: number): Promise<number> {
    const row = await this.#db.first<Count & { readonly own: boolean }>(sql`
      with t as (select ${NOW} as now),
      border as (select now, now / ${MINUTE_MS}::bigint - ${this.#minutes}::bigint as oldest from t)
      select (now - ${ownAgoMs ?? 0}::bigint) / ${MINUTE_MS}::bigint > oldest as own, coalesce((
        select sum(count) from coordination_counters
        where space = ${this.#name} and key = ${key} and slot > oldest
      ), 0)::bigint as count from border`);
    return without(countOf(row), ownAgoMs !== undefined && row?.own === true);
  }
}

/** One row for each key, with the moments of its last calls. */
export class PostgresSlidingCounters implements SlidingCounters {
  readonly #db: SharedDatabase;
  readonly #name: string;

  constructor(db: SharedDatabase, { name }: SlidingSpace) {
    this.#db = db;
    this.#name = name;
  }

  async add(key: string, { windowMs, calls }: SlidingLimit): Promise<number> {
    // `count` is what there was before this call. A flood must not grow the list: past the limit the last one is replaced.
    const row = await this.#db.first<Count>(sql`
      with t as (select ${NOW} as now)
      insert into coordination_counters as c (space, key, slot, count, times, expires_at)
      select ${this.#name}, ${key}, 0, 0, array[now], now + ${windowMs}::bigint from t
      on conflict (space, key, slot) do update set (count, times, expires_at) = (
        select n,
          case when n <= ${calls}::bigint then live else live[1:n::int - 1] end || excluded.times,
          excluded.expires_at
        from (
          select count(*) as n, coalesce(array_agg(x order by place), '{}') as live
          from unnest(c.times) with ordinality as kept (x, place)
          where x > excluded.expires_at - 2 * ${windowMs}::bigint
        ) as before
      )
      returning c.count`);
    return countOf(row);
  }

  async read(key: string, { windowMs }: SlidingLimit, ownAgoMs?: number): Promise<number> {
    const row = await this.#db.first<Count>(sql`
      select count(*) as count from coordination_counters, unnest(times) as x
      where space = ${this.#name} and key = ${key} and slot = 0 and x > ${NOW} - ${windowMs}::bigint`);
    return without(countOf(row), ownAgoMs !== undefined && ownAgoMs < windowMs);
  }
}

/** SECURITY: no answer is no count, and no count is a refusal. */
function countOf(row: Count | undefined): number {
  return row?.count ?? Number.NaN;
}

function without(count: number, own: boolean): number {
  return own ? Math.max(0, count - 1) : count;
}
