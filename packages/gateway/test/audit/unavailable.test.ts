import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { waitUntil } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { verifyTrail } from '../../src/audit/index.ts';
import { GroupCommitter } from '../../src/audit/writer/group-committer.ts';
import { SqliteWriter } from '../../src/audit/writer/sqlite-writer.ts';
import { openStore } from '../../src/store/index.ts';
import { judged } from './sample-events.ts';
import { openHome, trailHome } from './trail-harness.ts';

const WRITER = new URL('./fixtures/full-disk-writer.ts', import.meta.url).pathname;
const run = promisify(execFile);

interface Summary {
  readonly stored: number[];
  readonly refused: number[];
  readonly seqs: number[];
  readonly inTrail: number[];
  readonly noteRefused: boolean;
  readonly codes: string[];
  readonly ok: boolean;
}

test('[TR-4] [TR-5] a full disk refuses what cannot be recorded, and the trail goes on when there is space again', async () => {
  await using home = await trailHome();
  // A limit on the size of files: the kernel refuses the write, as a full disk does, and can be told to stop.
  const script = 'trap "" XFSZ; ulimit -S -f 2000; exec "$0" "$@"';
  const child = spawn('bash', ['-c', script, process.execPath, WRITER, home.dbFile, home.keyFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let summary: Summary | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'full') await run('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']);
    else summary = JSON.parse(line) as Summary;
  }
  expect(summary?.refused.length).toBeGreaterThan(0);
  expect(summary).toMatchObject({ ok: true, codes: ['AuditUnavailable'], noteRefused: true });
  // What was acknowledged is there once, what was refused is not there, and the numbers have no gap
  expect(summary?.inTrail).toEqual(summary?.stored);
  expect(summary?.seqs).toEqual(summary?.stored.map((_, index) => index + 1));
});

test('[TR-5] a database that another process keeps locked refuses appends and notes until it is free', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  await opened.trail.append(judged(1));
  const other = new DatabaseSync(home.dbFile);
  other.exec('begin immediate');
  await expect(opened.trail.append(judged(2))).rejects.toMatchObject({ code: 'AuditUnavailable' });
  expect(opened.trail.health.problem).toBeDefined();
  expect(() => opened.trail.note(judged(3))).toThrow(expect.objectContaining({ code: 'AuditUnavailable' }));
  other.exec('rollback');
  other.close();
  expect(await opened.trail.append(judged(4))).toMatchObject({ seq: 2 });
  expect(opened.trail.health.problem).toBeUndefined();
  opened.trail.note(judged(5));
  await opened.trail.drain();
  expect((await opened.trail.read({ limit: 10, order: 'asc' })).items.map(({ seq }) => seq)).toEqual([
    1, 2, 3,
  ]);
});

test.each([
  { when: 'before', stored: 2, why: 'died before the commit: the note is stored by the second try' },
  { when: 'after', stored: 2, why: 'died after the commit, before it said so: the note is not stored twice' },
])('[TR-4] a writer thread that $why', async ({ when, stored }) => {
  await using home = await trailHome();
  await (await openHome(home))[Symbol.asyncDispose]();
  await writeFile(`${home.dbFile}.die`, when);
  const thread = new URL('./fixtures/dying-writer-thread.ts', import.meta.url);
  const problems: (string | undefined)[] = [];
  const writer = new SqliteWriter({
    ...{ file: home.dbFile, keyFile: home.keyFile, thread },
    problem: () => undefined,
  });
  const committer = new GroupCommitter({
    writer,
    limits: { events: 10, chars: 10_000 },
    onCommitted: () => {},
    onCheckpoints: () => {},
    onHealth: (problem) => problems.push(problem),
  });
  const pending = (id: string) => ({
    tenant: 'default',
    id,
    at: 1,
    type: 'ActionEvent::Judged',
    actionId: null,
    approvalId: null,
    tail: '{},"data":{}}',
  });
  committer.note(pending('evt_note'));
  await waitUntil('the thread to die and come back', () => problems.length === 2);
  expect(problems).toEqual(['the writer thread died', undefined]);
  expect(await committer.append(pending('evt_next'))).toBe(2);
  await committer.close();
  await writer.close();
  const store = await openStore({ sqliteFile: home.dbFile });
  const ids = await store.db.selectFrom('events').select('id').orderBy('seq').execute();
  await store.close();
  expect(ids.map(({ id }) => id)).toEqual(['evt_note', 'evt_next']);
  expect(ids).toHaveLength(stored);
});

test('[TR-5] a queue that is full refuses notes first and appends later, and loses nothing that it took', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home, { limits: { events: 4, chars: 1_000_000 } });
  for (let n = 1; n <= 4; n += 1) opened.trail.note(judged(n));
  expect(() => opened.trail.note(judged(5))).toThrow(expect.objectContaining({ code: 'AuditUnavailable' }));
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => opened.trail.append(judged(10 + n))),
  );
  const kept = results.filter(({ status }) => status === 'fulfilled').length;
  expect(kept).toBe(12);
  expect((await opened.trail.read({ limit: 100 })).items).toHaveLength(4 + kept);
});

test('a note is durable within 50 ms of quiet, and numbers follow the order of the calls', async () => {
  await using home = await trailHome();
  await using opened = await openHome(home);
  const { trail, store } = opened;
  trail.note(judged(1));
  const second = trail.append(judged(2));
  trail.note(judged(3));
  expect(await second).toMatchObject({ seq: 2 });
  await waitUntil('the note to be stored', async () => (await trail.read({ limit: 9 })).items.length === 3);
  const actions = await store.db.selectFrom('events').select('action_id').orderBy('seq').execute();
  expect(actions.map(({ action_id }) => Number(action_id?.slice(4)))).toEqual([1, 2, 3]);
});

test('a restart goes on with the next number, and large trails verify on threads', async () => {
  await using home = await trailHome();
  const count = 26_000;
  {
    await using opened = await openHome(home);
    await Promise.all(Array.from({ length: count }, (_, n) => opened.trail.append(judged(n))));
  }
  await using opened = await openHome(home);
  expect(await opened.trail.append(judged(1))).toMatchObject({ seq: count + 1 });
  const verify = () => verifyTrail({ store: opened.store, publicKeys: [opened.trail.publicKey] });
  expect(await verify()).toMatchObject({ ok: true, tenants: [{ events: count + 1 }] });
  // The last event of one stretch and the first of the next
  for (const seq of [25_001, 25_000]) {
    await opened.store.db.updateTable('events').set({ prev: 'x' }).where('seq', '=', seq).execute();
    expect(await verify()).toMatchObject({ ok: false, tenants: [{ firstBad: { seq, where: 'database' } }] });
  }
});
