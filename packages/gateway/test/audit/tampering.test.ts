import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { waitFor } from '@sallyport/testkit';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JsonlSink, loadSigningKey, type TrailReport, verifyTrail } from '../../src/audit/index.ts';
import { openStore } from '../../src/store/index.ts';
import { judged } from './sample-events.ts';
import { openHome, type TrailHome, trailHome } from './trail-harness.ts';

// One clean trail is written once; every case works on a copy of it.
const EVENTS = 60;
let clean: TrailHome;
let bench: TrailHome;

beforeAll(async () => {
  clean = await trailHome();
  bench = await trailHome();
  // Small files, so that there are several of them.
  const sink = new JsonlSink({ folder: clean.folder, rotateBytes: 4_000 });
  await using opened = await openHome(clean, { sinks: [sink] });
  for (let n = 1; n <= EVENTS; n += 1) {
    await opened.trail.append(judged(n));
    // A file ends with a batch: there are as many batches at least, however quick the machine is.
    if (n % 15 === 0) await waitFor('the lines', async () => expect(await linesIn(clean.folder)).toBe(n));
  }
});

async function linesIn(folder: string): Promise<number> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.join('').split('\n').length - 1;
}

afterAll(async () => {
  await clean[Symbol.asyncDispose]();
  await bench[Symbol.asyncDispose]();
});

async function freshCopy(): Promise<void> {
  for (const name of await readdir(bench.path)) await rm(join(bench.path, name), { recursive: true });
  await copyFile(clean.dbFile, bench.dbFile);
  await mkdir(bench.folder);
  await cp(clean.folder, bench.folder, { recursive: true });
}

async function verify(): Promise<TrailReport> {
  const store = await openStore({ sqliteFile: bench.dbFile });
  try {
    const { publicKey } = loadSigningKey(clean.keyFile);
    return await verifyTrail({ store, folder: bench.folder, publicKeys: [publicKey] });
  } finally {
    await store.close();
  }
}

function sql(work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(bench.dbFile);
  try {
    work(db);
  } finally {
    db.close();
  }
}

function flip(text: string, at: number, mask: number): Buffer {
  const bytes = Buffer.from(text);
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ mask;
  return bytes;
}

const firstBad = (report: TrailReport) => report.tenants.find(({ tenant }) => tenant === 'default')?.firstBad;

test('a trail that nobody touched verifies, with all its files', async () => {
  await freshCopy();
  const report = await verify();
  expect(report).toEqual({
    ok: true,
    tenants: [{ tenant: 'default', events: EVENTS, checkpoints: 1, lastCheckpoint: EVENTS, fileLag: 0 }],
  });
  expect((await readdir(bench.folder)).length).toBeGreaterThan(2);
});

describe('[TR-2] any edit before the last checkpoint shows: in the database', () => {
  test('one changed byte of any column of any event', async () => {
    const columns = ['tenant', 'id', 'type', 'action_id', 'json', 'prev', 'hash'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: EVENTS }),
        fc.constantFrom(...columns),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (seq, column, at, mask) => {
          await freshCopy();
          sql((db) => {
            const row = db.prepare(`select ${column} as v from events where seq = ?`).get(seq);
            const bytes = flip(String(row?.v), at, mask);
            // Bytes that are no text are stored as text all the same: SQLite does not look.
            db.prepare(`update events set ${column} = cast(? as text) where seq = ?`).run(bytes, seq);
          });
          const report = await verify();
          expect(report.ok).toBe(false);
          expect(firstBad(report)).toMatchObject({ seq, where: 'database' });
        },
      ),
      { numRuns: rounds(40) },
    );
  });

  test('one changed byte behind a character that stands for undecodable bytes', async () => {
    await freshCopy();
    sql((db) => {
      const row = db.prepare('select json from events where seq = 7').get();
      const bytes = Buffer.from(String(row?.json));
      // U+FFFD is ef bf bd; f1 bf bd decodes to U+FFFD as well.
      bytes[bytes.indexOf(Buffer.from('\ufffd'))] = 0xf1;
      expect(bytes.toString('utf8')).toBe(row?.json);
      db.prepare('update events set json = cast(? as text) where seq = 7').run(bytes);
    });
    expect(firstBad(await verify())).toMatchObject({ seq: 7, where: 'database' });
  });

  test('a tenant whose name is no text any more does not lead in a circle', async () => {
    await freshCopy();
    const name = Buffer.from('\u00fe' + 'efault', 'latin1');
    sql((db) => db.prepare('update events set tenant = cast(? as text) where seq = 9').run(name));
    expect(firstBad(await verify())).toMatchObject({ seq: 9, where: 'database' });
    await using opened = await openHome({ ...bench, keyFile: clean.keyFile });
    expect(await opened.trail.append(judged(1))).toMatchObject({ seq: EVENTS + 1 });
  });

  test.each([
    { change: 'update events set seq = 1000 where seq = 9', seq: 9, why: 'another number' },
    { change: 'update events set at = at + 1 where seq = 9', seq: 9, why: 'another time for searches' },
    {
      change: "update events set approval_id = 'appr_x' where seq = 9",
      seq: 9,
      why: 'an approval that was not',
    },
    { change: 'update events set action_id = null where seq = 9', seq: 9, why: 'no action any more' },
    {
      change: 'update events set json = cast(json as blob) where seq = 9',
      seq: 9,
      why: 'another type of value',
    },
    { change: 'delete from events where seq = 9', seq: 9, why: 'one event removed' },
    { change: 'delete from events where seq = 1', seq: 1, why: 'the first event removed' },
    { change: 'delete from events where seq between 9 and 12', seq: 9, why: 'several events removed' },
    { change: `delete from events where seq = ${EVENTS}`, seq: EVENTS, why: 'cut off by one' },
    { change: 'delete from events where seq > 20', seq: 21, why: 'cut off' },
    { change: 'delete from events', seq: 1, why: 'all removed' },
    { change: 'update checkpoints set at = at + 1', seq: EVENTS, why: 'another time of the checkpoint' },
    { change: "update checkpoints set key_id = 'feedfeedfeedfeed'", seq: EVENTS, why: 'another key' },
    { change: 'update checkpoints set seq = 30', seq: 30, why: 'a checkpoint that covers less' },
  ])('$why', async ({ change, seq }) => {
    await freshCopy();
    sql((db) => db.exec(change));
    const report = await verify();
    expect(report.ok).toBe(false);
    expect(firstBad(report)).toMatchObject({ seq, where: 'database' });
  });

  test('two events that have changed places', async () => {
    await freshCopy();
    sql((db) => {
      db.exec('update events set seq = -1 where seq = 5');
      db.exec('update events set seq = 5 where seq = 6');
      db.exec('update events set seq = 6 where seq = -1');
    });
    expect(firstBad(await verify())).toMatchObject({ seq: 5, where: 'database' });
  });

  test('an edit with its hash made to fit', async () => {
    await freshCopy();
    await rehash(9, 9);
    await rm(bench.folder, { recursive: true });
    expect(firstBad(await verify())).toMatchObject({ seq: 9, where: 'database' });
  });

  test('an edit with all later hashes made to fit breaks the signature, and the file names the event', async () => {
    await freshCopy();
    await rehash(9, EVENTS);
    expect(firstBad(await verify())).toMatchObject({ seq: 9 });
    await rm(bench.folder, { recursive: true });
    const bad = firstBad(await verify());
    expect(bad).toMatchObject({ seq: EVENTS, where: 'database' });
    expect(bad?.problem).toContain('signed hash');
  });

  test('a signature with one changed letter, also in the bits that base64 does not use', async () => {
    const { signature } = oneCheckpoint();
    for (const at of [0, 40, 85]) {
      await freshCopy();
      const letter = signature[at] === 'A' ? 'B' : 'A';
      const forged = signature.slice(0, at) + letter + signature.slice(at + 1);
      sql((db) => db.prepare('update checkpoints set signature = ?').run(forged));
      expect(firstBad(await verify())).toMatchObject({ seq: EVENTS, where: 'database' });
    }
  });

  test('a changed byte in the database file is found, or changes no event', async () => {
    const events = allEvents(clean.dbFile);
    const size = (await readFile(clean.dbFile)).length;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: size - 1 }), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        await freshCopy();
        const bytes = await readFile(bench.dbFile);
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        await writeFile(bench.dbFile, bytes);
        const report = await verify().catch((error: Error) => ({ ok: false, error }));
        if (report.ok) expect(allEvents(bench.dbFile)).toEqual(events);
      }),
      { numRuns: rounds(40) },
    );
  });
});

test('a tenant changed in the table or in an index is found, and never leads in a circle', async () => {
  const original = await readFile(clean.dbFile);
  const places: number[] = [];
  for (let at = original.indexOf('default'); at !== -1; at = original.indexOf('default', at + 1))
    places.push(at);
  for (const [index, at] of places.entries()) {
    // Every fifth, so that table and indexes are hit everywhere without taking long
    if (index % 5 !== 0) continue;
    await freshCopy();
    const bytes = Buffer.from(original);
    bytes.write(index % 10 === 0 ? 'zefault' : 'Aefault', at);
    await writeFile(bench.dbFile, bytes);
    const report = await verify().catch((error: Error) => ({ ok: false, error }));
    if (report.ok) expect(allEvents(bench.dbFile)).toEqual(allEvents(clean.dbFile));
  }
  expect(places.length).toBeGreaterThan(2 * EVENTS);
});

describe('[TR-2] any edit before the last checkpoint shows: in the files', () => {
  test('one changed byte anywhere in any file', async () => {
    const names = (await readdir(clean.folder)).sort();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (name, at, mask) => {
          await freshCopy();
          const path = join(bench.folder, name);
          const text = await readFile(path, 'utf8');
          await writeFile(path, flip(text, at, mask));
          const index = at % Buffer.byteLength(text);
          const line = Number(/-(\d+)/.exec(name)?.[1]) + newlinesBefore(text, index);
          const report = await verify();
          expect(report.ok).toBe(false);
          expect(firstBad(report)).toMatchObject({ seq: line });
        },
      ),
      { numRuns: rounds(40) },
    );
  });

  test.each([
    { why: 'a line removed', edit: (l: string[]) => l.toSpliced(2, 1), line: 2 },
    { why: 'the first line removed', edit: (l: string[]) => l.slice(1), line: 0 },
    { why: 'two lines swapped', edit: (l: string[]) => l.with(1, l[2] ?? '').with(2, l[1] ?? ''), line: 1 },
    { why: 'a line doubled', edit: (l: string[]) => l.toSpliced(1, 0, l[1] ?? ''), line: 2 },
    { why: 'a line inserted', edit: (l: string[]) => l.toSpliced(1, 0, '{"id":"evt_x"}'), line: 1 },
    { why: 'an empty line', edit: (l: string[]) => l.toSpliced(1, 0, ''), line: 1 },
  ])('$why', async ({ edit, line }) => {
    await freshCopy();
    const name = (await readdir(bench.folder)).sort()[1] ?? '';
    const path = join(bench.folder, name);
    const lines = (await readFile(path, 'utf8')).split('\n');
    await writeFile(path, edit(lines).join('\n'));
    const seq = Number(/-(\d+)/.exec(name)?.[1]) + line;
    const report = await verify();
    expect(report.ok).toBe(false);
    expect(firstBad(report)).toMatchObject({ seq, where: name });
  });

  test('a file in the middle removed, the last file cut off, the last file removed', async () => {
    const names = (await readdir(clean.folder)).sort();
    const last = names.at(-1) ?? '';
    await freshCopy();
    await rm(join(bench.folder, names[1] ?? ''));
    expect((await verify()).ok).toBe(false);

    await freshCopy();
    const bytes = await readFile(join(bench.folder, last));
    await writeFile(join(bench.folder, last), bytes.subarray(0, bytes.length - 5));
    expect(firstBad(await verify())).toMatchObject({ seq: EVENTS, where: last });

    await freshCopy();
    await rm(join(bench.folder, last));
    expect((await verify()).ok).toBe(false);
  });

  test('old files may be moved away', async () => {
    await freshCopy();
    await rm(join(bench.folder, (await readdir(bench.folder)).sort()[0] ?? ''));
    expect((await verify()).ok).toBe(true);
  });
});

test('lines that are missing after the last checkpoint are lag, not tampering', async () => {
  await using home = await trailHome();
  const sink = new JsonlSink({ folder: home.folder });
  {
    await using opened = await openHome(home, { sinks: [sink] });
    for (let n = 1; n <= 10; n += 1) await opened.trail.append(judged(n));
  }
  const file = join(home.folder, 'default-000000000001.jsonl');
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, `${lines.slice(0, 7).join('\n')}\n`);
  const db = new DatabaseSync(home.dbFile);
  db.exec('delete from checkpoints');
  db.close();
  const store = await openStore({ sqliteFile: home.dbFile });
  const { publicKey } = loadSigningKey(home.keyFile);
  const report = await verifyTrail({ store, folder: home.folder, publicKeys: [publicKey] });
  await store.close();
  expect(report).toMatchObject({ ok: true, tenants: [{ fileLag: 3 }] });
});

async function rehash(from: number, to: number): Promise<void> {
  const { linkHash } = await import('../../src/audit/chain/event-line.ts');
  sql((db) => {
    for (let seq = from; seq <= to; seq += 1) {
      const row = db.prepare('select json from events where seq = ?').get(seq);
      const before = db.prepare('select hash from events where seq = ?').get(seq - 1);
      const json = seq === from ? String(row?.json).replace('/things/', '/thongs/') : String(row?.json);
      const prev = String(before?.hash);
      db.prepare('update events set json = ?, prev = ?, hash = ? where seq = ?').run(
        json,
        prev,
        linkHash(prev, json),
        seq,
      );
    }
  });
}

function oneCheckpoint(): { signature: string } {
  const db = new DatabaseSync(clean.dbFile, { readOnly: true });
  const row = db.prepare('select signature from checkpoints').get();
  db.close();
  return { signature: String(row?.signature) };
}

function allEvents(file: string): unknown {
  const db = new DatabaseSync(file);
  try {
    return db.prepare('select * from events order by tenant, seq').all();
  } finally {
    db.close();
  }
}

function newlinesBefore(text: string, byte: number): number {
  return Buffer.from(text).subarray(0, byte).toString('latin1').split('\n').length - 1;
}
