import { SallyportError } from '@sallyport/protocol';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';

/** How long one answer may take, in ms: then the state counts as out of reach */
const ANSWER_MS = 5_000;

/** The server's time, in ms since epoch: the only clock that all gateways share. */
export const NOW = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Questions to the database that all gateways share.
 *
 * SECURITY: whatever goes wrong is `Unavailable`, and its caller refuses: a nonce that cannot be looked up is not new, a
 * call that cannot be counted is not below its limit.
 */
export class SharedDatabase {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  async rows<Row>(query: RawBuilder<Row>): Promise<readonly Row[]> {
    return inTime(async () => (await query.execute(this.#db)).rows);
  }

  async first<Row>(query: RawBuilder<Row>): Promise<Row | undefined> {
    const [row] = await this.rows(query);
    return row;
  }

  /** Several questions as one, and alone with what `lock` names. */
  async alone<T>(lock: string, work: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
    return inTime(() =>
      this.#db.transaction().execute(async (trx) => {
        await sql`select set_config('statement_timeout', ${String(ANSWER_MS)}, true)`.execute(trx);
        await sql`select pg_advisory_xact_lock(hashtextextended(${`sallyport:${lock}`}, 0))`.execute(trx);
        return work(trx);
      }),
    );
  }
}

async function inTime<T>(work: () => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer in time')), ANSWER_MS);
  try {
    return await Promise.race([work(), late.promise]);
  } catch (cause) {
    throw new SallyportError('Unavailable', {
      message: 'the state that gateways share cannot be reached',
      hint: 'look at the database that `store.url` names, then try again',
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}
