import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@sallyport/protocol';
import { sql } from 'kysely';
import { assertNever } from '../../shared/assert-never.ts';
import type { Store } from '../../store/index.ts';
import type {
  CodeSpace,
  Codes,
  Coordination,
  CounterSpace,
  Counters,
  Leases,
  OneTime,
  OneTimeSpace,
  SlidingCounters,
  SlidingSpace,
} from '../coordination.ts';
import { LeasedJob } from '../leased-job.ts';
import { PostgresCodes } from './postgres-codes.ts';
import { PostgresCounters, PostgresMinutes, PostgresSlidingCounters } from './postgres-counters.ts';
import { PostgresLeases } from './postgres-leases.ts';
import { PostgresOneTime } from './postgres-one-time.ts';
import { PostgresWakeUps } from './postgres-wake-ups.ts';
import { NOW, SharedDatabase } from './shared-database.ts';

/** A gateway that is killed is followed by another within 8 s. */
const TIDY_LEASE_MS = 6_000;
const TIDY_EVERY_MS = 60_000;

export interface PostgresCoordinationParts {
  readonly store: Pick<Store, 'db'>;
  /** of the same database: listening needs a connection of its own */
  readonly url: string;
  readonly onProblem: (error: unknown) => void;
}

/** For gateways that share a Postgres: rows are the truth, the server's clock is the clock. */
export class PostgresCoordination implements Coordination {
  readonly leases: Leases;
  readonly wakeUps: PostgresWakeUps;
  readonly #db: SharedDatabase;
  readonly #tidying: LeasedJob;
  /** name → how many keys it may have */
  readonly #counterSpaces = new Map<string, number>();

  constructor({ store, url, onProblem }: PostgresCoordinationParts) {
    const own = randomUUID();
    this.#db = new SharedDatabase(store.db);
    this.leases = new PostgresLeases(this.#db, own);
    this.wakeUps = new PostgresWakeUps(this.#db, url, own, onProblem);
    this.#tidying = new LeasedJob({
      ...{ leases: this.leases, name: 'coordination.tidy', ms: TIDY_LEASE_MS, everyMs: TIDY_EVERY_MS },
      round: () => this.tidy(),
      onProblem,
    });
  }

  counters(space: CounterSpace): Counters {
    this.#counterSpaces.set(space.name, space.keys);
    switch (space.over) {
      case 'window':
      case 'total':
        return new PostgresCounters(this.#db, space);
      case 'minutes':
        return new PostgresMinutes(this.#db, space);
      default:
        return assertNever(space.over);
    }
  }

  slidingCounters(space: SlidingSpace): SlidingCounters {
    this.#counterSpaces.set(space.name, space.keys);
    return new PostgresSlidingCounters(this.#db, space);
  }

  oneTime(space: OneTimeSpace): OneTime {
    return new PostgresOneTime(this.#db, space);
  }

  codes<Value extends JsonObject>(space: CodeSpace): Codes<Value> {
    return new PostgresCodes<Value>(this.#db, space);
  }

  /** Removes what is over, and the counts of keys beyond those that a space may have. Runs by itself, at one gateway. */
  async tidy(): Promise<void> {
    for (const table of ['counters', 'names', 'codes'])
      await this.#db.rows(sql`delete from ${sql.table(`coordination_${table}`)} where expires_at <= ${NOW}`);
    for (const [space, keys] of this.#counterSpaces)
      await this.#db.rows(sql`
        delete from coordination_counters where space = ${space} and key in (
          select key from coordination_counters where space = ${space}
          group by key order by max(expires_at) desc offset ${keys}::bigint
        )`);
  }

  async close(): Promise<void> {
    await this.#tidying.stop();
    await this.wakeUps.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
