import { SallyportError } from '@sallyport/protocol';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database, Store } from '../../store/index.ts';
import { damagedStore } from '../chain/chain-rows.ts';
import type { FeedLine } from '../feed/feed.ts';
import type { EventPage, EventQuery, StoredEvent } from './event-query.ts';

/** Rows looked at in one statement: a search must not hold the event loop for long */
const WINDOW = 2_000;
const COLUMNS = ['tenant', 'seq', 'id', 'type', 'at', 'json', 'hash'] as const;

/** Reads the stored trail. Never writes. */
export class EventReader {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** One page. Walks the trail in windows, and lets others run between them. */
  async read(query: EventQuery): Promise<EventPage> {
    if (query.limit < 1 || query.limit > 1_000) {
      throw new SallyportError('BadRequest', { message: '`limit` must be from 1 to 1000' });
    }
    const items: StoredEvent[] = [];
    let cursor = query.cursor;
    for (;;) {
      const edge = await this.#windowEdge(query, cursor);
      const rows = await this.#window(query, cursor, edge, query.limit - items.length);
      items.push(...rows);
      const last = rows.at(-1);
      if (items.length >= query.limit && last !== undefined) {
        const place = placeOf(query, last);
        return { items, nextCursor: (await this.#isLast(query, place)) ? null : place };
      }
      if (edge === undefined) return { items, nextCursor: null };
      if (edge === cursor) throw damagedStore();
      cursor = edge;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The event with this id; undefined also when it belongs to another tenant than the one given. */
  async get(id: string, tenant?: string): Promise<StoredEvent | undefined> {
    let select = this.#store.db.selectFrom('events').select(COLUMNS).where('id', '=', id);
    if (tenant !== undefined) select = select.where('tenant', '=', tenant);
    return numbered(await select.execute())[0];
  }

  /** Every event that matches, oldest first, as lines. Takes no snapshot: what is appended meanwhile comes too. */
  async *export(query: Omit<EventQuery, 'limit' | 'cursor' | 'order'>): AsyncGenerator<string> {
    let cursor: string | undefined;
    do {
      const page = await this.read({ ...query, order: 'asc', limit: 1_000, cursor });
      for (const { json } of page.items) yield `${json}\n`;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Events of one tenant after a number, oldest first. */
  async after(tenant: string, seq: number, limit: number): Promise<readonly FeedLine[]> {
    const rows = await this.#store.db
      .selectFrom('events')
      .select(COLUMNS)
      .where('tenant', '=', tenant)
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(limit)
      .execute();
    return numbered(rows);
  }

  /** Number of the last event of each tenant. */
  async heads(): Promise<Map<string, number>> {
    const heads = new Map<string, number>();
    for (let tenant = ''; ; ) {
      // Hops through the index: a `group by` would read every entry.
      const next = await this.#store.db
        .selectFrom('events')
        .select(['tenant', 'seq'])
        .where('tenant', '=', (eb) =>
          eb
            .selectFrom('events as later')
            .select((min) => min.fn.min('later.tenant').as('tenant'))
            .where('later.tenant', '>', tenant),
        )
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (next === undefined) return heads;
      // A name that is no text, or a damaged index, leads in a circle.
      if (heads.has(next.tenant)) return this.#countedHeads();
      tenant = next.tenant;
      heads.set(tenant, Number(next.seq));
    }
  }

  /** As `heads`, by reading everything: slow, but it ends whatever the database holds. */
  async #countedHeads(): Promise<Map<string, number>> {
    const rows = await this.#store.db
      .selectFrom('events')
      .select(['tenant', (eb) => eb.fn.max('seq').as('seq')])
      .groupBy('tenant')
      .execute();
    return new Map(rows.map((row) => [String(row.tenant), Number(row.seq)]));
  }

  /** The greatest id. */
  async lastId(): Promise<string | undefined> {
    const row = await this.#store.db
      .selectFrom('events')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.id;
  }

  /** For each tenant the number of the last event whose id is not after `id`. */
  async cursorsAt(id: string): Promise<Map<string, number>> {
    const cursors = new Map<string, number>();
    for (const tenant of (await this.heads()).keys()) {
      const row = await this.#store.db
        .selectFrom('events')
        .select('seq')
        .where('tenant', '=', tenant)
        .where('id', '<=', id)
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst();
      cursors.set(tenant, Number(row?.seq ?? 0));
    }
    return cursors;
  }

  /** Where a window ends; undefined when less than a window is left. */
  async #windowEdge(query: EventQuery, cursor: string | undefined): Promise<string | undefined> {
    const ahead = this.#ordered(query, cursor)
      .select(['id', 'seq'])
      .offset(WINDOW - 1)
      .limit(1);
    const row = await ahead.executeTakeFirst();
    return row && placeOf(query, row);
  }

  async #window(
    query: EventQuery,
    cursor: string | undefined,
    edge: string | undefined,
    limit: number,
  ): Promise<StoredEvent[]> {
    let select = this.#ordered(query, cursor).select(COLUMNS);
    if (edge !== undefined)
      select = select.where(keyOf(query), isDown(query) ? '>=' : '<=', toKey(query, edge));
    const { type } = query;
    if (type !== undefined) {
      // What happened on the way to an outcome stands in the outcome's event, under its own type.
      const within = `%"also":[%"type":"${type}"%`;
      select = select.where((is) => is.or([is('type', '=', type), is('json', 'like', within)]));
    }
    if (query.actionId !== undefined) select = select.where('action_id', '=', query.actionId);
    if (query.since !== undefined) select = select.where('at', '>=', query.since);
    if (query.until !== undefined) select = select.where('at', '<', query.until);
    if (query.text !== undefined) {
      // SQLite's `like` takes small and large letters for the same.
      const like = this.#store.engine === 'sqlite' ? sql.raw('like') : sql.raw('ilike');
      for (const [plain, written] of patternsOf(query.text))
        select = select.where(
          sql<boolean>`(json ${like} ${plain} escape '\\' or json ${like} ${written} escape '\\')`,
        );
    }
    return numbered(await select.limit(limit).execute());
  }

  async #isLast(query: EventQuery, place: string): Promise<boolean> {
    return (await this.#ordered(query, place).select('id').limit(1).executeTakeFirst()) === undefined;
  }

  #ordered(query: EventQuery, cursor: string | undefined): SelectQueryBuilder<Database, 'events', object> {
    const key = keyOf(query);
    let select = this.#store.db.selectFrom('events').orderBy(key, isDown(query) ? 'desc' : 'asc');
    if (query.tenant !== undefined) select = select.where('tenant', '=', query.tenant);
    if (cursor !== undefined) select = select.where(key, isDown(query) ? '<' : '>', toKey(query, cursor));
    return select;
  }
}

/**
 * Every word must be there, whatever stands between: a shell line is kept command by command, and the `POST` and the host
 * of a request in places of their own. Each as it is, and as a JSON text writes it.
 */
function patternsOf(text: string): readonly (readonly [plain: string, written: string])[] {
  const words = text.split(/\s+/).filter((word) => word !== '' && !/^(?:&&|\|\|?|;)$/.test(word));
  return (words.length === 0 ? [text] : words).map((word) => {
    const pattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`;
    const plain = word.replace(/(?<=.);$/, '');
    return [pattern(plain), pattern(JSON.stringify(plain).slice(1, -1))];
  });
}

/** One tenant's events are read by number, all tenants' by id: both have an index, and both sort by age. */
function keyOf(query: EventQuery): 'seq' | 'id' {
  return query.tenant === undefined ? 'id' : 'seq';
}

function placeOf(query: EventQuery, row: { readonly id: string; readonly seq: number }): string {
  return keyOf(query) === 'id' ? row.id : String(row.seq);
}

function toKey(query: EventQuery, place: string): string | number {
  if (keyOf(query) === 'id') return place;
  const seq = Number(place);
  if (!Number.isSafeInteger(seq))
    throw new SallyportError('BadRequest', { message: 'the cursor is not valid' });
  return seq;
}

function isDown(query: EventQuery): boolean {
  return query.order !== 'asc';
}

function numbered<T extends { readonly seq: number; readonly at: number }>(rows: readonly T[]): T[] {
  return rows.map((row) => ({ ...row, seq: Number(row.seq), at: Number(row.at) }));
}
