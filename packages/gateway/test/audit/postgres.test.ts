import { requireEngine, startPostgres, type TestPostgres } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyTrail } from '../../src/audit/index.ts';
import { testCrashes } from './crash.contract.ts';
import { judged } from './sample-events.ts';
import { openHome, trailHome } from './trail-harness.ts';

const engine = requireEngine('postgres');

describe.skipIf(engine.missing)(`Postgres (${engine.install})`, () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  testCrashes('Postgres', () => server.createDatabase());

  test('[TR-4] two gateways on one database keep one chain, with no number twice and none left out', async () => {
    const url = await server.createDatabase();
    await using first = await trailHome();
    await using second = await trailHome();
    await using a = await openHome(first, { url });
    await using b = await openHome(second, { url });
    const appended = await Promise.all(
      Array.from({ length: 2_400 }, (_, n) => (n % 2 === 0 ? a : b).trail.append(judged(n))),
    );
    expect(appended.map(({ seq }) => seq).sort((x, y) => x - y)).toEqual(
      appended.map((_, index) => index + 1),
    );
    const publicKeys = [a.trail.publicKey, b.trail.publicKey];
    const report = await verifyTrail({ store: a.store, publicKeys });
    expect(report).toMatchObject({ ok: true, tenants: [{ events: 2_400 }] });
    expect(report.tenants[0]?.checkpoints).toBeGreaterThan(0);
  });

  test.each([
    { why: 'an edit', change: { json: '{"id":"evt_forged"}' } },
    { why: 'another type', change: { type: 'GatewayEvent::Stopped' } },
    { why: 'an action that is gone', change: { action_id: null } },
  ])('[TR-2] $why in Postgres shows', async ({ change }) => {
    await using home = await trailHome();
    await using opened = await openHome(home, {
      url: await server.createDatabase(),
      checkpointIntervalMs: 10,
    });
    for (let n = 1; n <= 10; n += 1) await opened.trail.append(judged(n));
    const { store, trail } = opened;
    await store.db.updateTable('events').set(change).where('seq', '=', 4).execute();
    const report = await verifyTrail({ store, publicKeys: [trail.publicKey] });
    expect(report).toMatchObject({ ok: false, tenants: [{ firstBad: { seq: 4, where: 'database' } }] });
  });

  test('[TR-5] while the database is away appends are refused, and afterwards the numbers go on', async () => {
    const own = await startPostgres();
    await using home = await trailHome();
    await using opened = await openHome(home, { url: own.url });
    try {
      const { seq } = await opened.trail.append(judged(1));
      expect(seq).toBe(1);
      await opened.store.db.schema.alterTable('events').renameTo('away').execute();
      await expect(opened.trail.append(judged(2))).rejects.toMatchObject({ code: 'AuditUnavailable' });
      expect(() => opened.trail.note(judged(3))).toThrow(
        expect.objectContaining({ code: 'AuditUnavailable' }),
      );
      await opened.store.db.schema.alterTable('away').renameTo('events').execute();
      expect(await opened.trail.append(judged(4))).toMatchObject({ seq: 2 });
    } finally {
      await opened[Symbol.asyncDispose]();
      await own.stop();
    }
  });
});
