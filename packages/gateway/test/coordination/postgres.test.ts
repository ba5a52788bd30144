import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { FakeClock, requireEngine, startPostgres, type TestPostgres, waitUntil } from '@sallyport/testkit';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Coordination, LeasedJob, openCoordination } from '../../src/coordination/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { describeCoordinationContract } from './coordination.contract.ts';

const engine = requireEngine('postgres');

describe.skipIf(engine.missing)(`Postgres (${engine.install})`, () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  interface Gateway extends AsyncDisposable {
    readonly store: Store;
    readonly it: Coordination;
    readonly problems: unknown[];
  }
  /** `skewMs`: what the clock of its machine is wrong by */
  const gateway = async (url: string, skewMs = 0): Promise<Gateway> => {
    const problems: unknown[] = [];
    const store = await openStore({ url });
    const clock = new FakeClock(Date.now() + skewMs);
    const it = await openCoordination({ store, url, clock, onProblem: (error) => problems.push(error) });
    const close = async (): Promise<void> => {
      await it.close();
      await store.close();
    };
    return { store, it, problems, [Symbol.asyncDispose]: close };
  };

  describeCoordinationContract('Postgres', async () => {
    const url = await server.createDatabase();
    const [red, blue] = [await gateway(url), await gateway(url, 3_600_000)];
    return {
      red: red.it,
      blue: blue.it,
      advance: (ms) => letTimePass(red.store, ms),
      close: async () => {
        await red[Symbol.asyncDispose]();
        await blue[Symbol.asyncDispose]();
      },
    };
  });

  test('without its database nothing is new, below a limit, or good: every operation rejects', async () => {
    const url = await server.createDatabase();
    await using one = await gateway(url);
    const { it } = one;
    const limit = { windowMs: 1_000, calls: 100 };
    await it.oneTime({ name: 'o', ms: 1_000, most: 10 }).take('n');
    await using _broken = await withoutTables(one.store);
    const unavailable = { code: 'Unavailable', hint: expect.stringContaining('store.url') };
    const operations: readonly (() => unknown)[] = [
      () => it.counters({ name: 'w', keys: 1, over: 'window', ms: 1_000 }).add('a'),
      () => it.counters({ name: 'm', keys: 1, over: 'minutes', ms: 60_000 }).add('a'),
      () => it.slidingCounters({ name: 's', keys: 1 }).add('a', limit),
      () => it.slidingCounters({ name: 's', keys: 1 }).read('a', limit),
      () => it.oneTime({ name: 'o', ms: 1_000, most: 10 }).take('n'),
      () => it.codes({ name: 'c', ms: 1_000, most: 10, whenFull: 'forget-oldest' }).keep('a', {}),
      () => it.codes({ name: 'c', ms: 1_000, most: 10, whenFull: 'refuse' }).take('a'),
      () => it.leases.take('job', 1_000),
      () => it.leases.isHeld('job', 1),
    ];
    for (const operation of operations) await expect(operation()).rejects.toMatchObject(unavailable);
    // A wake-up is a hint: nobody fails for it.
    it.wakeUps.wake('t', 'k');
  });

  test('a server that is gone is the same, and nobody waits for it for ever, not even a stop', async () => {
    const own = await startPostgres();
    const one = await gateway(own.url);
    await own.stop();
    const names = one.it.oneTime({ name: 'o', ms: 1_000, most: 10 });
    await expect(names.take('n')).rejects.toMatchObject({ code: 'Unavailable' });
    one.it.wakeUps.wake('t', 'k');
    await one[Symbol.asyncDispose]();
  });

  test('a listener that lost its connection catches up, and hears again', async () => {
    const url = await server.createDatabase();
    await using red = await gateway(url);
    await using blue = await gateway(url);
    const heard: string[] = [];
    blue.it.wakeUps.listen('t', (woken) => heard.push(...(woken === 'all' ? ['all'] : woken)));
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'sallyport wake-ups' and datname = current_database()`.execute(red.store.db);
    // Said while nobody may be listening: whatever becomes of it, `all` comes after it.
    red.it.wakeUps.wake('t', 'lost or not');
    await waitUntil('it to catch up', () => heard.includes('all'));
    red.it.wakeUps.wake('t', 'after');
    await waitUntil('what comes after', () => heard.includes('after'));
    expect(blue.problems).not.toEqual([]);
  });

  test('a burst is a few notifications, not as many as there are decisions', async () => {
    const url = await server.createDatabase();
    await using red = await gateway(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query('listen sallyport_wake');
      const payloads: string[] = [];
      client.on('notification', ({ payload }) => payloads.push(payload ?? ''));
      for (let i = 0; i < 5_000; i += 1) red.it.wakeUps.wake('approvals', `appr_${i}`);
      red.it.wakeUps.wake('end', 'end');
      await waitUntil('the end', () => payloads.some((payload) => payload.includes('"end"')));
      expect(payloads.length).toBeLessThan(20);
    } finally {
      await client.end();
    }
  });

  test('what is no message of ours is left alone', async () => {
    const url = await server.createDatabase();
    await using red = await gateway(url);
    const heard: string[] = [];
    red.it.wakeUps.listen('t', (woken) => heard.push(...(woken === 'all' ? ['all'] : woken)));
    for (const payload of ['', '{', '[]', 'null', '{"from":1}', '{"from":"x","topic":"t","keys":5}'])
      await sql`select pg_notify('sallyport_wake', ${payload})`.execute(red.store.db);
    await sql`select pg_notify('sallyport_wake', '{"from":"x","topic":"t","keys":["k",7]}')`.execute(
      red.store.db,
    );
    await waitUntil('the one that is', () => heard.length > 0);
    expect(heard).toEqual(['k']);
    expect(red.problems).toEqual([]);
  });

  test('a lease of a gateway that was killed goes to another, with a larger number', async () => {
    const url = await server.createDatabase();
    await using blue = await gateway(url);
    const holder = spawn(process.execPath, [new URL('./lease-holder.ts', import.meta.url).pathname, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const fence = await heldBy(holder);
      expect(await blue.it.leases.take('job', 1_000)).toBeUndefined();
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      let held: number | undefined;
      const job = new LeasedJob({
        ...{ leases: blue.it.leases, name: 'job', ms: 900, everyMs: 0 },
        round: async (its) => {
          held = its.fence;
        },
        onProblem: (error) => blue.problems.push(error),
      });
      await waitUntil('the job to move', () => held, { timeoutMs: 20_000 });
      expect(held).toBeGreaterThan(fence);
      expect(await blue.it.leases.isHeld('job', fence)).toBe(false);
      await job.stop();
    } finally {
      holder.kill('SIGKILL');
    }
  });

  test('what is over leaves the tables, and so do keys beyond those of a space', async () => {
    const url = await server.createDatabase();
    await using red = await gateway(url);
    const { it, store } = red;
    const counters = it.counters({ name: 'test.keys', keys: 3, over: 'window', ms: 3_600_000 });
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      await counters.add(key);
      await letTimePass(store, 10);
    }
    await it.counters({ name: 'test.gone', keys: 3, over: 'window', ms: 5 }).add('a');
    await it.oneTime({ name: 'test.gone', ms: 5, most: 10 }).take('a');
    await it.codes({ name: 'test.gone', ms: 5, most: 10, whenFull: 'refuse' }).keep('a', {});
    await letTimePass(store, 10);
    await (it as unknown as { tidy(): Promise<void> }).tidy();
    const { rows } = await sql<{ what: string }>`
      select space || ' ' || key as what from coordination_counters
      union all select space from coordination_names union all select space from coordination_codes
      order by 1`.execute(store.db);
    expect(rows.map(({ what }) => what)).toEqual(['test.keys c', 'test.keys d', 'test.keys e']);
  });

  test('the database holds neither a code nor a name that could be used', async () => {
    const url = await server.createDatabase();
    await using red = await gateway(url);
    await red.it.codes({ name: 'c', ms: 60_000, most: 10, whenFull: 'refuse' }).keep('the-code-itself', {});
    await red.it.oneTime({ name: 'o', ms: 60_000, most: 10 }).take('the-name-itself');
    const { rows } = await sql<{ all: string }>`
      select (select json_agg(c) from coordination_codes c)::text || (select json_agg(n) from coordination_names n)::text
      as all`.execute(red.store.db);
    expect(rows[0]?.all).not.toContain('itself');
  });
});

/** The server's clock cannot be moved, so everything that it is compared with is. */
async function letTimePass({ db }: Store, ms: number): Promise<void> {
  const far = 1_000_000_000;
  await db.transaction().execute(async (trx) => {
    for (const table of ['counters', 'names', 'codes', 'leases'])
      await sql`update ${sql.table(`coordination_${table}`)} set expires_at = expires_at - ${ms}::bigint`.execute(
        trx,
      );
    await sql`update coordination_counters
      set times = (select coalesce(array_agg(x - ${ms}::bigint), '{}') from unnest(times) x)`.execute(trx);
    // In two steps, so that no minute meets another on its way.
    await sql`update coordination_counters set slot = slot + ${far}::bigint where slot > 0`.execute(trx);
    await sql`update coordination_counters
      set slot = slot - ${far}::bigint - ${Math.floor(ms / 60_000)}::bigint where slot > 0`.execute(trx);
  });
}

/** As if the server had lost them; put back on dispose. */
async function withoutTables({ db }: Store): Promise<AsyncDisposable> {
  const tables = ['counters', 'names', 'codes', 'leases'].map((name) => `coordination_${name}`);
  for (const name of tables)
    await sql`alter table ${sql.table(name)} rename to ${sql.ref(`gone_${name}`)}`.execute(db);
  return {
    async [Symbol.asyncDispose]() {
      for (const name of tables)
        await sql`alter table ${sql.table(`gone_${name}`)} rename to ${sql.ref(name)}`.execute(db);
    },
  };
}

async function heldBy({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error('no output');
  for await (const chunk of stdout) {
    const fence = Number(/held (\d+)/.exec(String(chunk))?.[1]);
    if (fence > 0) return fence;
  }
  throw new Error('the holder ended');
}
