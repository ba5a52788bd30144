import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { waitUntil } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { MetaRepository } from '../../src/store/index.ts';
import { judged } from './sample-events.ts';
import { type OpenedTrail, openHome, type TrailHome, trailHome } from './trail-harness.ts';

// What other programs do to the files of a running gateway past SQLite. Each case: the next write is refused [TR-7].

type Suffix = '' | '-wal' | '-shm' | '.journal';

/** A home whose files can be moved as a whole, with everything open and written to. */
async function openAll(): Promise<TrailHome & OpenedTrail & { readonly files: string }> {
  const outer = await trailHome();
  const files = join(outer.path, 'home');
  mkdirSync(files);
  const inside = (name: string): string => join(files, name);
  const home = {
    ...outer,
    dbFile: inside('sallyport.db'),
    folder: inside('audit'),
    keyFile: inside('audit.key'),
  };
  const opened = await openHome(home, { journalFile: inside('audit.journal') });
  await waitUntil(
    'an event is kept in the journal',
    async () => (await opened.trail.keep(judged(0))) !== undefined,
  );
  // The log holds what follows, and nothing older behind it.
  const other = new DatabaseSync(home.dbFile);
  other.exec('pragma wal_checkpoint(truncate)');
  other.close();
  await opened.trail.append(judged(1));
  await new MetaRepository(opened.store).set('a', 'value');
  await opened.trail.drain();
  return {
    ...{ ...home, ...opened, files },
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await outer[Symbol.asyncDispose]();
    },
  };
}

/** Nothing is acknowledged any more, and the trail says why. */
async function expectRefused({ trail, store }: OpenedTrail, says: RegExp): Promise<void> {
  const unavailable = { code: 'AuditUnavailable' };
  const first = await Promise.allSettled([
    trail.keep(judged(2)),
    trail.append(judged(3)),
    new MetaRepository(store).set('a', 'new value'),
  ]);
  expect(first).toMatchObject([
    { status: 'rejected', reason: unavailable },
    { status: 'rejected', reason: unavailable },
    { status: 'rejected', reason: { code: expect.stringMatching(/^StoreUnusable$/) } },
  ]);
  expect(() => trail.note(judged(4))).toThrow(expect.objectContaining(unavailable));
  expect(() => trail.hold(judged(5))).toThrow(expect.objectContaining(unavailable));
  expect(trail.health.lost).toMatchObject({
    message: expect.stringMatching(says),
    hint: expect.stringContaining('sallyport stop'),
  });
}

/** The same for a file of the trail alone: the database is well. */
async function expectTrailRefused({ trail }: OpenedTrail, says: RegExp): Promise<void> {
  const results = await Promise.allSettled([trail.keep(judged(2)), trail.append(judged(3))]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(trail.append(judged(3))).rejects.toMatchObject({ code: 'AuditUnavailable' });
  expect(() => trail.note(judged(4))).toThrow(expect.objectContaining({ code: 'AuditUnavailable' }));
  expect(trail.health.lost?.message).toMatch(says);
}

const TRICKS = [
  { what: 'removed', says: /was removed/, apply: (file: string) => rmSync(file) },
  {
    what: 'renamed away',
    says: /was removed or moved/,
    apply: (file: string) => renameSync(file, `${file}.x`),
  },
  {
    what: 'replaced by a copy of itself',
    says: /was replaced/,
    apply: (file: string) => {
      copyFileSync(file, `${file}.x`);
      renameSync(`${file}.x`, file);
    },
  },
  {
    what: 'replaced by a folder',
    says: /was replaced/,
    apply: (file: string) => {
      rmSync(file);
      mkdirSync(file);
    },
  },
  {
    what: 'cut off at its start',
    says: /was (?:cut|overwritten)/,
    apply: (file: string) => truncateSync(file, 0),
  },
  {
    what: 'cut off at its end',
    says: /was (?:cut|overwritten)/,
    apply: (file: string) => truncateSync(file, statSync(file).size - 5_000),
  },
  {
    what: 'overwritten with zeros',
    says: /was (?:cut|overwritten)/,
    apply: (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
  },
] as const;

const pathOf = ({ files }: { readonly files: string }, suffix: Suffix): string =>
  join(files, suffix === '.journal' ? 'audit.journal' : `sallyport.db${suffix}`);

describe.each<Suffix>(['', '-wal', '-shm', '.journal'])('[TR-7] the file *%s', (suffix) => {
  // SQLite has `-shm` in memory, and the kernel ends a process that looks at a part that was cut off: not this one.
  const tricks = suffix === '-shm' ? TRICKS.filter(({ what }) => !/cut|zeros/.test(what)) : TRICKS;
  test.each(tricks)('$what: the next write is refused', async ({ says, apply }) => {
    await using home = await openAll();
    apply(pathOf(home, suffix));
    await (suffix === '.journal' ? expectTrailRefused(home, says) : expectRefused(home, says));
  });
});

describe('[TR-7] in place, by an older copy', () => {
  test.each<{ suffix: Suffix }>([{ suffix: '' }, { suffix: '-wal' }, { suffix: '.journal' }])(
    'of *$suffix: the next write is refused',
    async ({ suffix }) => {
      await using home = await openAll();
      const file = pathOf(home, suffix);
      copyFileSync(file, `${file}.old`);
      await home.trail.append(judged(6));
      await home.trail.keep(judged(7));
      await home.trail.drain();
      // So that the database itself has changed since.
      if (suffix === '') new DatabaseSync(home.dbFile).exec('pragma wal_checkpoint(truncate)');
      await home.trail.append(judged(8));
      copyFileSync(`${file}.old`, file);
      const says = /was (?:cut off or )?overwritten/;
      await (suffix === '.journal' ? expectTrailRefused(home, says) : expectRefused(home, says));
    },
  );

  test('of the database, although it is the very same: somebody writes to it past SQLite', async () => {
    await using home = await openAll();
    copyFileSync(home.dbFile, `${home.dbFile}.x`);
    copyFileSync(`${home.dbFile}.x`, home.dbFile);
    await expectRefused(home, /was overwritten/);
  });
});

test('[TR-7] a backup that was restored through SQLite itself stops the trail', async () => {
  await using home = await openAll();
  const copy = join(home.path, 'backup.db');
  const source = new DatabaseSync(home.dbFile);
  await backup(source, copy);
  source.close();
  await home.trail.append(judged(6));
  const old = new DatabaseSync(copy);
  await backup(old, home.dbFile);
  old.close();
  await expect(home.trail.append(judged(7))).rejects.toMatchObject({ code: 'AuditUnavailable' });
  await expect(home.trail.append(judged(8))).rejects.toMatchObject({ code: 'AuditUnavailable' });
  expect(home.trail.health.problem).toContain('put back to an older state');
  expect(() => home.trail.note(judged(9))).toThrow(expect.objectContaining({ code: 'AuditUnavailable' }));
});

test.each([
  { what: 'moved away', apply: (folder: string) => renameSync(folder, `${folder}.x`) },
  {
    what: 'replaced by a copy of itself',
    apply: (folder: string) => {
      cpSync(folder, `${folder}.x`, { recursive: true });
      renameSync(folder, `${folder}.y`);
      renameSync(`${folder}.x`, folder);
    },
  },
])('[TR-7] the folder of the home $what: the next write is refused', async ({ apply }) => {
  await using home = await openAll();
  apply(home.files);
  await expectRefused(home, /was (?:removed|replaced)/);
});

test('[TR-7] a log that was removed is copied into the database when it is noticed: a kill then loses nothing', async () => {
  await using home = await openAll();
  rmSync(`${home.dbFile}-wal`);
  await expectRefused(home, /-wal` was removed/);
  // As the next start would find it after `kill -9`.
  const copy = join(home.path, 'copy.db');
  copyFileSync(home.dbFile, copy);
  const db = new DatabaseSync(copy);
  const actions = db.prepare('select distinct action_id from events').all();
  const value = db.prepare("select value from meta where key = 'a'").get();
  db.close();
  expect(actions.map(({ action_id }) => action_id)).toEqual([judged(0).action_id, judged(1).action_id]);
  expect(value).toEqual({ value: 'value' });
});

test('[TR-7] it is noticed without a write too, and once noticed it stays so', async () => {
  await using home = await openAll();
  const moved = `${home.dbFile}.x`;
  renameSync(home.dbFile, moved);
  expect(home.trail.health.lost?.message).toContain('was removed or moved away');
  renameSync(moved, home.dbFile);
  await expectRefused(home, /was removed or moved away/);
});

test('[TR-7] what was open can still be read', async () => {
  await using home = await openAll();
  for (const suffix of ['', '-wal', '-shm']) rmSync(home.dbFile + suffix);
  await expectRefused(home, /was removed/);
  expect(await new MetaRepository(home.store).get('a')).toBe('value');
  expect((await home.trail.read({ limit: 10 })).items.length).toBeGreaterThan(1);
});

test('[TR-7] a journal that was there at the start and is not when it is needed first stops writes', async () => {
  await using home = await trailHome();
  const journalFile = join(home.path, 'audit.journal');
  writeFileSync(journalFile, '');
  await using opened = await openHome(home, { journalFile });
  rmSync(journalFile);
  await expectTrailRefused(opened, /audit\.journal` was removed/);
  expect(existsSync(journalFile)).toBe(false);
});

test('[TR-6] copies, links and other names disturb nothing', async () => {
  await using home = await openAll();
  for (const suffix of ['', '-wal', '-shm']) {
    copyFileSync(home.dbFile + suffix, join(home.path, `copy.db${suffix}`));
    linkSync(home.dbFile + suffix, join(home.path, `link.db${suffix}`));
    chmodSync(home.dbFile + suffix, 0o640);
  }
  appendFileSync(join(home.files, 'notes.txt'), 'a file of somebody else');
  await home.trail.append(judged(6));
  expect(await home.trail.keep(judged(7))).toBeDefined();
  expect(home.trail.health.lost).toBeUndefined();
});
