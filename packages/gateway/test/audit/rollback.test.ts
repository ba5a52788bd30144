import { copyFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { closeServer, listenOnFreePort, waitUntil } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import {
  FileAnchor,
  loadSigningKey,
  readAnchorFile,
  type TrailReport,
  verifyTrail,
  WebhookAnchor,
} from '../../src/audit/index.ts';
import { openStore } from '../../src/store/index.ts';
import { judged } from './sample-events.ts';
import { openHome, type TrailHome, trailHome } from './trail-harness.ts';

async function write(
  home: TrailHome,
  anchor: FileAnchor | WebhookAnchor,
  from: number,
  to: number,
): Promise<void> {
  await using opened = await openHome(home, { anchor });
  for (let n = from; n <= to; n += 1) await opened.trail.append(judged(n));
}

async function verify(home: TrailHome, anchorFile?: string): Promise<TrailReport> {
  const store = await openStore({ sqliteFile: home.dbFile });
  try {
    const anchors = anchorFile === undefined ? [] : [await readAnchorFile(anchorFile)];
    return await verifyTrail({ store, anchors, publicKeys: [loadSigningKey(home.keyFile).publicKey] });
  } finally {
    await store.close();
  }
}

test('[TR-3] a database that was put back to an older copy shows against the anchor', async () => {
  await using home = await trailHome();
  const anchorFile = join(home.path, 'anchor.jsonl');
  const anchor = new FileAnchor(anchorFile);
  await write(home, anchor, 1, 20);
  await copyFile(home.dbFile, join(home.path, 'old.db'));
  await write(home, anchor, 21, 40);
  expect((await verify(home, anchorFile)).ok).toBe(true);

  await copyFile(join(home.path, 'old.db'), home.dbFile);
  // The old copy is whole in itself: only the anchor knows better.
  expect((await verify(home)).ok).toBe(true);
  const report = await verify(home, anchorFile);
  expect(report.ok).toBe(false);
  expect(report.tenants[0]?.firstBad).toMatchObject({ seq: 21, where: 'database' });
  expect(report.tenants[0]?.firstBad?.problem).toContain('rolled back');
});

test('[TR-3] a rollback shows also after the trail has grown past the anchor again', async () => {
  await using home = await trailHome();
  const anchorFile = join(home.path, 'anchor.jsonl');
  await write(home, new FileAnchor(anchorFile), 1, 20);
  await copyFile(home.dbFile, join(home.path, 'old.db'));
  await write(home, new FileAnchor(anchorFile), 21, 40);
  await copyFile(join(home.path, 'old.db'), home.dbFile);
  await write(home, new FileAnchor(join(home.path, 'other.jsonl')), 121, 160);

  const report = await verify(home, anchorFile);
  expect(report.tenants[0]?.firstBad).toMatchObject({ seq: 40, where: 'database' });
});

test('a tenant whose events were all removed shows against the anchor', async () => {
  await using home = await trailHome();
  const anchorFile = join(home.path, 'anchor.jsonl');
  await write(home, new FileAnchor(anchorFile), 1, 5);
  const store = await openStore({ sqliteFile: home.dbFile });
  await store.db.deleteFrom('events').execute();
  await store.db.deleteFrom('checkpoints').execute();
  await store.close();
  expect((await verify(home)).ok).toBe(true);
  const report = await verify(home, anchorFile);
  expect(report).toMatchObject({ ok: false, tenants: [{ tenant: 'default', firstBad: { seq: 1 } }] });
});

test('a forged line in the anchor is named, not believed', async () => {
  await using home = await trailHome();
  const anchorFile = join(home.path, 'anchor.jsonl');
  await write(home, new FileAnchor(anchorFile), 1, 5);
  const [line] = (await readAnchorFile(anchorFile)).checkpoints;
  await new FileAnchor(anchorFile).send({ ...line!, seq: 99 });
  const report = await verify(home, anchorFile);
  expect(report.tenants[0]?.firstBad).toMatchObject({ seq: 99, where: anchorFile });
});

test('a trail whose last signed event is gone is not continued', async () => {
  await using home = await trailHome();
  await write(home, new FileAnchor(join(home.path, 'anchor.jsonl')), 1, 5);
  const store = await openStore({ sqliteFile: home.dbFile });
  await store.db.deleteFrom('events').where('seq', '=', 5).execute();
  await store.close();
  await expect(openHome(home)).rejects.toMatchObject({ code: 'TrailBroken' });
});

test('a webhook anchor that fails is retried, and failure and recovery are events', async () => {
  await using home = await trailHome();
  const received: { tenant: string; seq: number }[] = [];
  let broken = true;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await new Response(request as never).text()) as { tenant: string; seq: number };
    if (!broken) received.push(body);
    response.writeHead(broken ? 500 : 204).end();
  });
  const port = await listenOnFreePort(server);
  try {
    const anchor = new WebhookAnchor(`http://127.0.0.1:${port}/anchor`);
    await using opened = await openHome(home, { anchor, checkpointIntervalMs: 20 });
    await opened.trail.append(judged(1));
    await waitUntil('the failure to be visible', () => opened.trail.health.anchor?.problem !== undefined);
    broken = false;
    await waitUntil('the newest checkpoint', () => received.some(({ seq }) => seq >= 2));
    const types = async () => (await opened.trail.read({ limit: 100 })).items.map(({ type }) => type);
    await waitUntil('the recovery in the trail', async () =>
      (await types()).includes('AuditEvent::SinkRecovered'),
    );
    expect(await types()).toContain('AuditEvent::SinkFailed');
  } finally {
    await closeServer(server);
  }
});
