import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GrantsRepository, openStore, type Store, type StoreLocation } from '../../src/store/index.ts';
import { MIGRATIONS } from '../../src/store/migrations/index.ts';

/** What both engines promise of `Store`. `fresh` names a place that holds nothing yet. */
export function describeStoreContract(name: string, fresh: () => Promise<StoreLocation>): void {
  describe(`${name} as a Store`, () => {
    let where: StoreLocation;
    let store: Store;
    beforeEach(async () => {
      where = await fresh();
      store = await openStore(where);
    });
    afterEach(() => store.close());

    test('has run every migration once it is open', async () => {
      expect(await executedMigrations(store)).toEqual(Object.keys(MIGRATIONS));
    });

    test('opens again with its data and without migrating twice', async () => {
      await store.db.insertInto('meta').values({ key: 'k', value: 'v' }).execute();
      await store.close();
      store = await openStore(where);
      expect(await store.db.selectFrom('meta').selectAll().execute()).toEqual([{ key: 'k', value: 'v' }]);
      expect(await executedMigrations(store)).toEqual(Object.keys(MIGRATIONS));
    });

    test('refuses a database with a migration that it does not know, and changes nothing', async () => {
      await store.db
        .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
        .insertInto('kysely_migration')
        .values({ name: '9999-from-the-future', timestamp: new Date(0).toISOString() })
        .execute();
      await store.close();
      await expect(openStore(where)).rejects.toMatchObject({
        code: 'StoreTooNew',
        message: expect.stringContaining('9999-from-the-future'),
        hint: expect.stringContaining('install the version'),
      });
    });

    test('ends grants that covered more than an operation, and leaves the others', async () => {
      await sql`alter table grants drop column answer`.execute(store.db);
      await sql`alter table grants drop column uses_at_most`.execute(store.db);
      await sql`alter table sessions drop column workspace`.execute(store.db);
      await sql`delete from kysely_migration where name >= '0010-narrow-grants'`.execute(store.db);
      const covers: Readonly<Record<string, object>> = {
        a: { kind: 'scope', type: 'custom:http', effect: 'write', target: {}, credential: null },
        b: { kind: 'pattern', selector: 'Bash', credential: null },
        c: { kind: 'fingerprint', fingerprint: 'f' },
        d: { kind: 'declared', type: 'exec_cmd' },
      };
      for (const [id, cover] of Object.entries(covers))
        await sql`insert into grants (id, tenant, agent, covers, scope, created_at, created_by, uses)
          values (${id}, 'red', 'dev', ${JSON.stringify(cover)}, 'always', 1, 'ana', 0)`.execute(store.db);
      await store.close();
      store = await openStore(where);
      const rows = await store.db
        .selectFrom('grants')
        .select(['id', 'answer', 'end_reason'])
        .orderBy('id')
        .execute();
      expect(rows).toEqual([
        { id: 'a', answer: 'yes', end_reason: 'too wide' },
        { id: 'b', answer: 'yes', end_reason: 'too wide' },
        { id: 'c', answer: 'yes', end_reason: null },
        { id: 'd', answer: 'yes', end_reason: null },
      ]);
      const grants = new GrantsRepository(store);
      const shown = await grants.list({ tenant: 'red' });
      expect(shown.items.map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
      expect((await grants.live('red', { agent: 'dev' })).map(({ id }) => id)).toEqual(['c', 'd']);
    });

    test('gives 64-bit columns and counts as numbers', async () => {
      const at = Date.UTC(2200, 0, 1);
      await store.db
        .insertInto('checkpoints')
        .values({ tenant: 't', seq: 1, hash: 'h', at, key_id: 'k', signature: 's' })
        .execute();
      const row = await store.db.selectFrom('checkpoints').selectAll().executeTakeFirstOrThrow();
      expect(row.at).toBe(at);
      const { n } = await store.db
        .selectFrom('checkpoints')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      expect(n).toBe(1);
    });

    test('undoes a transaction that throws', async () => {
      const failed = store.db.transaction().execute(async (trx) => {
        await trx.insertInto('meta').values({ key: 'half', value: 'done' }).execute();
        throw new Error('stop here');
      });
      await expect(failed).rejects.toThrow('stop here');
      expect(await store.db.selectFrom('meta').selectAll().execute()).toEqual([]);
    });

    test('keeps what two stores write at the same time', async () => {
      const other = await openStore(where);
      try {
        const writes = [store, other].flatMap(({ db }, i) =>
          Array.from({ length: 20 }, (_, j) =>
            db.transaction().execute(async (trx) => {
              await trx.selectFrom('meta').selectAll().execute();
              await trx
                .insertInto('meta')
                .values({ key: `${i}-${j}`, value: '' })
                .execute();
            }),
          ),
        );
        await Promise.all(writes);
      } finally {
        await other.close();
      }
      expect(await store.db.selectFrom('meta').selectAll().execute()).toHaveLength(40);
    });

    test('close waits for what is under way, and may be called twice', async () => {
      const writes = Array.from({ length: 30 }, (_, i) =>
        store.db.transaction().execute(async (trx) => {
          await new Promise((resolve) => setImmediate(resolve));
          await trx
            .insertInto('meta')
            .values({ key: `${i}`, value: '' })
            .execute();
        }),
      );
      // The first has its connection; the others queue for one.
      await new Promise((resolve) => setImmediate(resolve));
      const closed = Promise.all([store.close(), store.close()]);
      await expect(Promise.all(writes)).resolves.toHaveLength(30);
      await closed;
      store = await openStore(where);
      expect(await store.db.selectFrom('meta').selectAll().execute()).toHaveLength(30);
    });

    test('a closed store refuses queries', async () => {
      await store.close();
      await expect(store.db.selectFrom('meta').selectAll().execute()).rejects.toThrow(/destroyed/);
    });
  });
}

async function executedMigrations(store: Store): Promise<readonly string[]> {
  const rows = await store.db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}
