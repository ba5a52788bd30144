import type { JsonObject } from '@sallyport/protocol';
import { sql } from 'kysely';
import { sha256Hex } from '../../shared/canonical-json.ts';
import type { CodeSpace, Codes } from '../coordination.ts';
import { NOW, type SharedDatabase } from './shared-database.ts';

/** A row for each code, under a hash of it: who reads the database finds none that could be used. */
export class PostgresCodes<Value extends JsonObject> implements Codes<Value> {
  readonly #db: SharedDatabase;
  readonly #space: CodeSpace;

  constructor(db: SharedDatabase, space: CodeSpace) {
    this.#db = db;
    this.#space = space;
  }

  async keep(name: string, value: Value): Promise<'kept' | 'full'> {
    const { name: space, ms, most, whenFull } = this.#space;
    const digest = sha256Hex(name);
    // Alone with the space, so that the bound holds for those who come at the same moment.
    return this.#db.alone(`codes:${space}`, async (trx) => {
      await sql`delete from coordination_codes
        where space = ${space} and (expires_at <= ${NOW} or name = ${digest})`.execute(trx);
      const { rows } = await sql<{ readonly count: number }>`
        select count(*) as count from coordination_codes where space = ${space}`.execute(trx);
      const tooMany = (rows[0]?.count ?? most) - most + 1;
      if (tooMany > 0) {
        if (whenFull === 'refuse') return 'full';
        await sql`delete from coordination_codes where space = ${space} and name in (
          select name from coordination_codes where space = ${space} order by expires_at limit ${tooMany}::bigint
        )`.execute(trx);
      }
      await sql`insert into coordination_codes (space, name, value, expires_at)
        values (${space}, ${digest}, ${JSON.stringify(value)}, ${NOW} + ${ms}::bigint)`.execute(trx);
      return 'kept';
    });
  }

  async peek(name: string): Promise<Value | undefined> {
    const row = await this.#db.first<{ readonly value: string }>(sql`
      select value from coordination_codes
      where space = ${this.#space.name} and name = ${sha256Hex(name)} and expires_at > ${NOW}`);
    return readValue(row);
  }

  async take(name: string): Promise<Value | undefined> {
    const row = await this.#db.first<{ readonly value: string; readonly live: boolean }>(sql`
      delete from coordination_codes where space = ${this.#space.name} and name = ${sha256Hex(name)}
      returning value, expires_at > ${NOW} as live`);
    return row?.live === true ? readValue(row) : undefined;
  }
}

function readValue<Value>(row: { readonly value: string } | undefined): Value | undefined {
  // `as`: a gateway wrote it, in the form that the name of the space stands for.
  return row === undefined ? undefined : (JSON.parse(row.value) as Value);
}
