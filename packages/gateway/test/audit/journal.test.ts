import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { NewEvent } from '@sallyport/protocol';
import { waitUntil } from '@sallyport/testkit';
import { rounds } from '@sallyport/testkit/rounds';
import { expect, test } from 'vitest';
import { Redactor, verifyTrail } from '../../src/audit/index.ts';
import { Secret } from '../../src/shared/secret.ts';
import { judged } from './sample-events.ts';
import { type OpenedTrail, openHome, type TrailHome, trailHome } from './trail-harness.ts';

const WRITER = new URL('./fixtures/keep-writer.ts', import.meta.url).pathname;
const FILE_BYTES = 4 * 1024 * 1024;

const journalOf = (home: TrailHome): string => join(home.path, 'audit.journal');

function outcomeOf(n: number, data: NewEvent['data'] = { status: 200 }): NewEvent {
  return { ...judged(n), type: 'ProxyEvent::RequestAllowed', data };
}

interface Read {
  readonly type: string;
  readonly action_id: string;
  readonly data: NewEvent['data'];
}

async function eventsOf({ store }: OpenedTrail): Promise<readonly Read[]> {
  const rows = await store.db.selectFrom('events').select('json').orderBy('seq').execute();
  // our own events, read back
  return rows.map(({ json }) => JSON.parse(json) as Read);
}

/** A trail whose journal is open: it is made when the first event is to be kept. */
async function openWithJournal(home: TrailHome, redactor = new Redactor()): Promise<OpenedTrail> {
  const opened = await openHome(home, { journalFile: journalOf(home), redactor });
  await waitUntil('an event in the journal', async () => {
    const held = await opened.trail.keep(judged(0));
    return held !== undefined;
  });
  await opened.trail.drain();
  return opened;
}

/** Nobody can write to the database as long as this is not disposed. */
function locked(home: TrailHome): Disposable {
  const db = new DatabaseSync(home.dbFile);
  db.exec('begin immediate');
  return { [Symbol.dispose]: () => db.close() };
}

test('[TR-1] [TR-4] what was kept survives kill -9 at any instant, and is in the chain once', {
  timeout: 120_000,
}, async () => {
  await using home = await trailHome();
  const kept: string[] = [];
  const runs = rounds(8);
  for (let run = 0; run < runs; run += 1)
    kept.push(...(await runUntilKilled(home, run * 1_000_000, 20 + Math.random() * 1_500)));
  expect(kept.length).toBeGreaterThanOrEqual(20 * runs);

  await using opened = await openHome(home, { journalFile: journalOf(home) });
  const verdicts = new Map<string, number>();
  // `path` is in the verdict alone: an outcome that was too late for it is an event without one.
  for (const { action_id, data } of await eventsOf(opened))
    if (data.path !== undefined) verdicts.set(action_id, (verdicts.get(action_id) ?? 0) + 1);
  expect(kept.filter((id) => verdicts.get(id) !== 1)).toEqual([]);
  expect([...verdicts.values()].filter((times) => times !== 1)).toEqual([]);
  const report = await verifyTrail({ store: opened.store, publicKeys: [opened.trail.publicKey] });
  expect(report).toMatchObject({ ok: true });
});

async function runUntilKilled(home: TrailHome, first: number, after: number): Promise<readonly string[]> {
  const args = [WRITER, home.dbFile, home.keyFile, journalOf(home), String(first)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const ids: string[] = [];
  let inJournal = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line may be cut in two by the kill.
    const [, how, id] = /^(kept|chained) (act_\d{26})$/.exec(line) ?? [];
    if (id === undefined) continue;
    ids.push(id);
    if (how === 'kept') inJournal += 1;
    if (inJournal >= after) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  return ids;
}

test('[TR-1] what was kept while the database took nothing survives kill -9 too, as far as there was room', {
  timeout: 60_000,
}, async () => {
  await using home = await trailHome();
  const args = [WRITER, home.dbFile, home.keyFile, journalOf(home), '0', '4000'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const kept: string[] = [];
  using lock = new DisposableStack();
  for await (const line of createInterface({ input: child.stdout })) {
    const [, id] = /^kept (act_\d{26})$/.exec(line) ?? [];
    if (id === undefined) continue;
    kept.push(id);
    if (kept.length > 1) continue;
    lock.use(locked(home));
    // Long enough to fill the file, and shorter than the database is waited for.
    setTimeout(() => child.kill('SIGKILL'), 3_000);
  }
  await exited;
  lock.dispose();
  // More than one half of the file holds, and no more than both.
  expect(kept.length).toBeGreaterThan(500);
  expect(kept.length).toBeLessThan(1_000);
  await using opened = await openHome(home, { journalFile: journalOf(home) });
  const ids = (await eventsOf(opened)).map(({ action_id }) => action_id);
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  expect(kept.filter((id) => counts.get(id) === undefined)).toEqual([]);
});

test('a write to the journal has ended when it is on disk', async () => {
  await using home = await trailHome();
  await using _opened = await openWithJournal(home);
  const flags: number[] = [];
  for (const fd of await readdir('/proc/self/fd')) {
    if ((await readlink(`/proc/self/fd/${fd}`).catch(() => '')) !== journalOf(home)) continue;
    const info = await readFile(`/proc/self/fdinfo/${fd}`, 'utf8');
    flags.push(Number.parseInt(/^flags:\s+(\d+)$/m.exec(info)?.[1] ?? '0', 8));
  }
  expect(flags.map((flag) => flag & constants.O_DSYNC)).toEqual([constants.O_DSYNC]);
});

test('[TR-4] what is in the chain already is not put there again from a journal that was left behind', async () => {
  await using home = await trailHome();
  const copy = join(home.path, 'copy');
  {
    await using opened = await openWithJournal(home);
    const held = await opened.trail.keep(judged(1));
    held?.settle(outcomeOf(1));
    await opened.trail.drain();
    await copyFile(journalOf(home), copy);
  }
  // As it was when the process would have been killed.
  await copyFile(copy, journalOf(home));
  await using opened = await openHome(home, { journalFile: journalOf(home) });
  expect((await eventsOf(opened)).filter(({ action_id }) => action_id === judged(1).action_id)).toHaveLength(
    1,
  );
});

test('a trail that was closed leaves nothing to be put into the chain', async () => {
  await using home = await trailHome();
  {
    await using opened = await openWithJournal(home);
    await opened.trail.keep(judged(1));
  }
  const bytes = await readFile(journalOf(home));
  expect(bytes.length).toBe(FILE_BYTES);
  expect([bytes.readUInt32LE(0), bytes.readUInt32LE(FILE_BYTES / 2)]).toEqual([0, 0]);
  expect((await stat(journalOf(home))).mode & 0o777).toBe(0o600);
});

test('[TR-4] an outcome that comes soon is one event with the verdict, and a later one its own', async () => {
  await using home = await trailHome();
  await using opened = await openWithJournal(home);
  const soon = await opened.trail.keep(judged(1));
  soon?.add({ ...judged(1), type: 'ProxyEvent::CredentialInjected', data: { credential: 'c' } });
  soon?.settle(outcomeOf(1, { status: 204, tool: 'http', bearer: 'a-value-that-nobody-may-see' }));
  const other = await opened.trail.keep(judged(2));
  other?.settle(outcomeOf(2, { status: 201, tool: 'another' }));
  const late = await opened.trail.keep(judged(3));
  await waitUntil('the event to be stored by itself', async () => (await eventsOf(opened)).some(isOf(3)));
  late?.settle(outcomeOf(3));
  await opened.trail.drain();

  const events = await eventsOf(opened);
  expect(events.filter(isOf(1))).toMatchObject([
    {
      type: 'ProxyEvent::RequestAllowed',
      data: {
        ...judged(1).data,
        status: 204,
        bearer: '[redacted]',
        also: [{ type: 'ProxyEvent::CredentialInjected', credential: 'c' }],
      },
    },
  ]);
  expect(events.filter(isOf(2))).toMatchObject([
    { data: { path: '/things/2', status: 201, tool: 'another' } },
  ]);
  expect(events.filter(isOf(3)).map(({ type }) => type)).toEqual([
    'ActionEvent::Judged',
    'ProxyEvent::RequestAllowed',
  ]);
});

test('[TR-4] no member of an event is written twice when its outcome repeats it', async () => {
  await using home = await trailHome();
  await using opened = await openWithJournal(home);
  (await opened.trail.keep(judged(1)))?.settle(outcomeOf(1, { tool: 'http', effect: 'read', status: 200 }));
  await opened.trail.drain();
  const { items } = await opened.trail.read({ limit: 10, order: 'desc' });
  expect(items[0]?.json.match(/"(?:tool|effect|status)":/g)).toEqual(['"tool":', '"effect":', '"status":']);
});

test('[CR-1] a secret that was learned between verdict and outcome is in neither', async () => {
  await using home = await trailHome();
  const redactor = new Redactor();
  await using opened = await openWithJournal(home, redactor);
  const secret = 'hunter2-hunter2-hunter2';
  const held = await opened.trail.keep(judged(1, { data: { path: `/things/1/${secret}` } }));
  redactor.learn(new Secret(secret));
  held?.settle(outcomeOf(1, { status: 200 }));
  await opened.trail.drain();
  const [event] = (await eventsOf(opened)).filter(isOf(1));
  expect(event?.data).toEqual({ path: '/things/1/[redacted]', status: 200 });
});

test('[TR-5] while the database takes nothing, what was kept waits, and what finds no room is refused', {
  timeout: 60_000,
}, async () => {
  await using home = await trailHome();
  await using opened = await openWithJournal(home);
  const big = 'x'.repeat(20_000);
  const accepted: number[] = [];
  const refused: number[] = [];
  {
    using _lock = locked(home);
    await Promise.all(
      Array.from({ length: 400 }, async (_, index) => {
        const n = index + 1;
        try {
          await opened.trail.keep(judged(n, { data: { path: big } }));
          accepted.push(n);
        } catch (error) {
          expect(error).toMatchObject({ code: 'AuditUnavailable' });
          refused.push(n);
        }
      }),
    );
  }
  // 400 of them are twice the file.
  expect(accepted.length).toBeGreaterThan(50);
  expect(refused.length).toBeGreaterThan(50);
  const stored = async (): Promise<readonly string[]> =>
    (await eventsOf(opened)).map(({ action_id }) => action_id);
  await waitUntil('all that was accepted to be in the chain', async () => {
    const ids = await stored();
    return accepted.every((n) => ids.includes(String(judged(n).action_id)));
  });
  await opened.trail.drain();
  const ids = await stored();
  expect(new Set(ids.slice(1)).size).toBe(ids.length - 1);
  expect(refused.filter((n) => ids.includes(String(judged(n).action_id)))).toEqual([]);
});

test('far more than the file holds goes through it, and it does not grow', { timeout: 60_000 }, async () => {
  await using home = await trailHome();
  await using opened = await openWithJournal(home);
  let inJournal = 0;
  for (let round = 0; round < 60; round += 1) {
    const kept = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        opened.trail.keep(judged(1 + round * 50 + n, { data: { fill: 'y'.repeat(4_000) } })),
      ),
    );
    inJournal += kept.filter((held) => held !== undefined).length;
    await opened.trail.drain();
  }
  expect(inJournal).toBe(3_000);
  const ids = (await eventsOf(opened)).map(({ action_id }) => action_id);
  expect(new Set(ids).size).toBe(3_001);
  expect((await stat(journalOf(home))).size).toBe(FILE_BYTES);
});

test('an event that is too long for the journal goes straight into the chain', async () => {
  await using home = await trailHome();
  await using opened = await openWithJournal(home);
  expect(await opened.trail.keep(judged(1, { data: { fill: 'z'.repeat(100_000) } }))).toBeUndefined();
  expect((await eventsOf(opened)).filter(isOf(1))).toHaveLength(1);
});

test('[TR-1] a journal that cannot be read keeps the gateway from starting without it', async () => {
  await using home = await trailHome();
  await mkdir(journalOf(home));
  await expect(openHome(home, { journalFile: journalOf(home) })).rejects.toMatchObject({
    code: 'StoreUnusable',
  });
});

test('[TR-1] a journal that is a link is not followed', async () => {
  await using home = await trailHome();
  const elsewhere = join(home.path, 'elsewhere');
  await writeFile(elsewhere, 'untouched');
  await symlink(elsewhere, journalOf(home));
  await expect(openHome(home, { journalFile: journalOf(home) })).rejects.toMatchObject({
    code: 'StoreUnusable',
  });
  expect(await readFile(elsewhere, 'utf8')).toBe('untouched');
});

test('[TR-5] without a journal a write waits for the chain, and the trail says what is wrong', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home, {
    journalFile: join(home.path, 'no-such-folder', 'audit.journal'),
  });
  expect(await opened.trail.keep(judged(1))).toBeUndefined();
  // Once, and at once; the problem may be told in the same batch.
  expect((await eventsOf(opened)).filter(isOf(1))).toHaveLength(1);
  await waitUntil('the problem in the trail', async () =>
    (await eventsOf(opened)).some(
      ({ type, data }) => type === 'AuditEvent::SinkFailed' && data.sink === 'journal',
    ),
  );
  expect(await opened.trail.keep(judged(2))).toBeUndefined();
});

function isOf(n: number): (event: Read) => boolean {
  return ({ action_id }) => action_id === judged(n).action_id;
}
