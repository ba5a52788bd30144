import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { type TempDir, tempDir } from '@sallyport/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqliteConnection } from '../../src/shared/sqlite/sqlite-connection.ts';
import { openStore } from '../../src/store/index.ts';

describe('a SQLite file', () => {
  let dir: TempDir;
  let file: string;
  beforeEach(async () => {
    dir = await tempDir();
    file = `${dir.path}/sallyport.db`;
  });
  afterEach(() => dir.remove());

  async function storeWithRows(): Promise<void> {
    const store = await openStore({ sqliteFile: file });
    for (let i = 0; i < 50; i += 1) {
      await store.db
        .insertInto('meta')
        .values({ key: `${i}`, value: 'x'.repeat(500) })
        .execute();
    }
    await store.close();
  }

  const DAMAGES = [
    {
      why: 'text instead of a database',
      damage: () => writeFileSync(file, 'not a database, but longer than a header '.repeat(200)),
      says: 'is damaged or not a Sallyport database',
    },
    {
      why: 'a damaged schema page',
      damage: async () => {
        await storeWithRows();
        const bytes = readFileSync(file);
        bytes.fill(0xff, 100, 2_000);
        writeFileSync(file, bytes);
      },
      says: 'is damaged or not a Sallyport database',
    },
    {
      why: 'a file that was cut off',
      damage: async () => {
        await storeWithRows();
        truncateSync(file, 5_000);
      },
      says: 'is damaged or not a Sallyport database',
    },
    {
      why: 'a folder in its place',
      damage: () => mkdirSync(file),
      says: 'cannot be opened for writing (EISDIR)',
    },
    {
      why: 'a parent folder that is not there',
      damage: () => {
        file = `${dir.path}/nowhere/sallyport.db`;
      },
      says: 'cannot be opened for writing (ENOENT)',
    },
  ];
  test.each(DAMAGES)('$why is `StoreUnusable`, with what to do', async ({ damage, says }) => {
    await damage();
    await expect(openStore({ sqliteFile: file })).rejects.toMatchObject({
      code: 'StoreUnusable',
      message: expect.stringContaining(`\`${file}\` ${says}`),
      hint: expect.stringMatching(/restore|folder/),
    });
  });

  test('is readable by its owner only, also when it was not before', async () => {
    writeFileSync(file, '');
    chmodSync(file, 0o666);
    const store = await openStore({ sqliteFile: file });
    await store.db.insertInto('meta').values({ key: 'k', value: 'v' }).execute();
    const modes = ['', '-wal', '-shm'].map((suffix) => statSync(file + suffix).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    await store.close();
  });

  test('that cannot grow says that the disk is full, and keeps what was stored', async () => {
    const store = await openStore({ sqliteFile: file });
    await store.db.insertInto('meta').values({ key: 'before', value: 'v' }).execute();
    await sql`pragma max_page_count = 1`.execute(store.db);
    const large = store.db.insertInto('meta').values({ key: 'large', value: 'x'.repeat(100_000) });
    await expect(large.execute()).rejects.toMatchObject({
      code: 'StoreUnusable',
      message: expect.stringContaining('is full'),
    });
    const inTransaction = store.db.transaction().execute((trx) =>
      trx
        .insertInto('meta')
        .values({ key: 'large', value: 'x'.repeat(100_000) })
        .execute(),
    );
    await expect(inTransaction).rejects.toMatchObject({ code: 'StoreUnusable' });
    expect(await store.db.selectFrom('meta').select('key').execute()).toEqual([{ key: 'before' }]);
    await store.close();
  });

  test('that may only be read says so', async () => {
    await storeWithRows();
    const store = await openStore({ sqliteFile: file });
    await sql`pragma query_only = on`.execute(store.db);
    const write = store.db.insertInto('meta').values({ key: 'k', value: 'v' }).execute();
    await expect(write).rejects.toMatchObject({
      code: 'StoreUnusable',
      message: expect.stringContaining('cannot be written'),
    });
    await store.close();
  });

  test('whose lock another connection keeps is waited for without blocking the event loop', async () => {
    const store = await openStore({ sqliteFile: file });
    const other = openSqliteConnection(file);
    other.exec('BEGIN IMMEDIATE');
    const write = store.db.insertInto('meta').values({ key: 'k', value: 'v' }).execute();
    // If the wait blocked, this turn would come only after the write had given up.
    await new Promise((resolve) => setImmediate(resolve));
    other.exec('COMMIT');
    await write;
    expect(await store.db.selectFrom('meta').selectAll().execute()).toHaveLength(1);
    other.close();
    await store.close();
  });

  test('[TR-5] whose lock another connection keeps refuses all who wait for it together, not one after the other', async () => {
    const store = await openStore({ sqliteFile: file });
    const other = openSqliteConnection(file);
    other.exec('BEGIN IMMEDIATE');
    const begun = performance.now();
    const write = (key: string) => store.db.insertInto('meta').values({ key, value: 'v' }).execute();
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map(write));
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    // One wait is 5 s; on a slow machine it takes longer, but not four times as long.
    expect(performance.now() - begun).toBeLessThan(15_000);
    other.exec('COMMIT');
    other.close();
    await write('e');
    expect(await store.db.selectFrom('meta').select('key').execute()).toEqual([{ key: 'e' }]);
    await store.close();
  });

  test('[TR-5] that another connection uses again and again, and lets go in between, refuses nobody', async () => {
    const store = await openStore({ sqliteFile: file });
    const other = openSqliteConnection(file);
    // Longer than anybody waits for a lock that is kept.
    const end = performance.now() + 6_000;
    let written = 0;
    while (performance.now() < end) {
      other.exec('BEGIN IMMEDIATE');
      const write = store.db
        .insertInto('meta')
        .values({ key: String(written), value: 'v' })
        .execute();
      await new Promise((resolve) => setTimeout(resolve, 30));
      other.exec('COMMIT');
      await write;
      written += 1;
    }
    expect(await store.db.selectFrom('meta').selectAll().execute()).toHaveLength(written);
    other.close();
    await store.close();
  });

  test('is opened with the pragmas that durability depends on', () => {
    const db = openSqliteConnection(file);
    const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect({
      journal: pragma('journal_mode'),
      synchronous: pragma('synchronous'),
      foreignKeys: pragma('foreign_keys'),
      busyMs: pragma('busy_timeout'),
    }).toEqual({ journal: 'wal', synchronous: 2, foreignKeys: 1, busyMs: 5_000 });
    db.close();
  });
});
