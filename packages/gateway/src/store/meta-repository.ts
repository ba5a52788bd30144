import type { Store } from './store.ts';

/** Facts about this home, one text for each key. Holds no secrets. */
export class MetaRepository {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async get(key: string): Promise<string | undefined> {
    const row = await this.#store.db
      .selectFrom('meta')
      .select('value')
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.value;
  }

  async set(key: string, value: string): Promise<void> {
    await this.#store.db
      .insertInto('meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  }

  /** Writes `value` unless the key has one, and returns what it has: the same for all who ask at once. */
  async getOrSet(key: string, value: string): Promise<string> {
    await this.#store.db
      .insertInto('meta')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    return (await this.get(key)) ?? value;
  }
}
