import { requireEngine, startPostgres, type TestPostgres } from '@sallyport/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { describeCrashContract } from './crash.contract.ts';
import { describeGrantsContract } from './grants.contract.ts';
import { describeMcpPinsContract } from './mcp-pins.contract.ts';
import { describeRepositoriesContract } from './repositories.contract.ts';
import { describeStoreContract } from './store.contract.ts';

const engine = requireEngine('postgres');

describe.skipIf(engine.missing)(`Postgres (${engine.install})`, () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const fresh = async () => ({ url: await server.createDatabase() });
  describeStoreContract('Postgres', fresh);
  describeRepositoriesContract('Postgres', fresh);
  describeCrashContract('Postgres', fresh);
  describeGrantsContract('Postgres', fresh);
  describeMcpPinsContract('Postgres', fresh);

  const change = (edit: (url: URL) => void): string => {
    const url = new URL(server.url);
    edit(url);
    return url.href;
  };

  test.each([
    {
      why: 'a wrong password',
      edit: (url: URL) => {
        url.password = 'hunter2';
      },
      says: 'refuses the password',
    },
    {
      why: 'a database that is not there',
      edit: (url: URL) => {
        url.pathname = '/nowhere';
      },
      says: 'has no such database',
    },
    {
      why: 'no server',
      edit: (url: URL) => url.searchParams.set('host', '/nonexistent'),
      says: 'does not answer',
    },
  ])('$why is explained, without the password', async ({ edit, says }) => {
    const url = change(edit);
    const error = await openStore({ url }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'StoreUnusable', hint: expect.any(String) });
    const { message, hint } = error as Error & { hint: string };
    expect(message).toContain(says);
    expect(`${message} ${hint}`).not.toContain(new URL(url).password);
  });

  test('the location names the server but not the password', async () => {
    const store = await openStore({
      url: change((url) => url.searchParams.set('password', 'pg-test-password')),
    });
    try {
      expect(store.location).toMatch(/^postgres:\/\/sallyport@.+\/sallyport$/);
      expect(store.location).not.toContain('password');
    } finally {
      await store.close();
    }
  });

  test('a user who may not create tables is told which right is missing', async () => {
    const owner = await openStore({ url: server.url });
    await sql`create role guest login password 'guest-password'`.execute(owner.db);
    await owner.close();
    const url = change((it) => {
      it.username = 'guest';
      it.password = 'guest-password';
      it.pathname = '/postgres';
    });
    await expect(openStore({ url })).rejects.toMatchObject({
      code: 'StoreUnusable',
      message: expect.stringContaining('create or change tables'),
    });
  });
});
