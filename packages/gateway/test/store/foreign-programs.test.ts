import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { requireEngine } from '@sallyport/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { readSecretFile } from '../../src/config/index.ts';
import { readText } from '../../src/config/source/read-text.ts';
import { DatabaseFiles } from '../../src/shared/sqlite/database-files.ts';
import { openSqliteConnection } from '../../src/shared/sqlite/sqlite-connection.ts';
import { openStore } from '../../src/store/index.ts';
import { type TrailHome, trailHome } from '../audit/trail-harness.ts';

const WRITER = new URL('./fixtures/step-writer.ts', import.meta.url).pathname;

const FOREIGN = new URL('./fixtures/foreign-sqlite.ts', import.meta.url).pathname;
const COUNT = 'select count(*) from events';
const IN_NODE = `const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(process.argv[1]); db.prepare('${COUNT}').get(); db.close()`;
const COPIER = `const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(process.argv[1], { timeout: 5000 });
db.exec('pragma synchronous = off; create table if not exists t (x)');
for (let n = 0; n < Number(process.argv[2]); n += 1)
  db.exec('insert into t values (randomblob(20000)); pragma wal_checkpoint(' + ['passive', 'truncate'][n % 2] + ')');
db.close()`;
const IN_PYTHON = `import sqlite3, sys
db = sqlite3.connect(sys.argv[1]); db.execute('${COUNT}').fetchall(); db.close()`;

/** Programs that open, read and close the database. Old versions of SQLite remove a log that nobody seems to use. */
const READERS = [
  {
    name: 'Node',
    missing: false,
    install: 'npm ci',
    argv: (file: string) => [process.execPath, '-e', IN_NODE, file],
  },
  {
    name: 'the sqlite3 program',
    ...requireEngine('sqlite3'),
    argv: (file: string) => ['sqlite3', file, COUNT],
  },
  {
    name: "Python's sqlite3",
    ...requireEngine('python'),
    argv: (file: string) => ['python3', '-c', IN_PYTHON, file],
  },
];

const filesOf = (home: TrailHome): readonly number[] =>
  ['', '-wal', '-shm'].map((suffix) => statSync(home.dbFile + suffix).ino);

/** What a start finds. */
async function storedIn(home: TrailHome): Promise<{ events: number[]; keys: number[] }> {
  const store = await openStore({ sqliteFile: home.dbFile });
  const events = await store.db.selectFrom('events').select('seq').orderBy('seq').execute();
  const keys = await store.db.selectFrom('api_keys').select('created_at').orderBy('created_at').execute();
  await store.close();
  return {
    events: events.map(({ seq }) => Number(seq)),
    keys: keys.map(({ created_at }) => Number(created_at)),
  };
}

type Writer = ChildProcessByStdio<Writable, Readable, null>;
let writer: Writer | undefined;
afterEach(() => kill());

/** A store and a trail in a process of their own, which do nothing until they are told to. */
function startWriter(home: TrailHome): { readonly pid: number; write(): Promise<string> } {
  const child: Writer = spawn(process.execPath, [WRITER, home.dbFile, home.keyFile], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  writer = child;
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    async write() {
      child.stdin.write('\n');
      const { done, value } = await answers.next();
      return done === true ? 'ended' : value;
    },
  };
}

async function kill(): Promise<void> {
  const child = writer;
  writer = undefined;
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

describe.each(READERS)('[TR-6] $name ($install)', ({ missing, argv }) => {
  test.skipIf(missing)(
    'reads and closes the database, does not take its log away, and nothing is lost',
    async () => {
      await using home = await trailHome();
      const { write } = startWriter(home);
      expect(await write()).toBe('stored');
      const before = filesOf(home);
      const [program = '', ...args] = argv(home.dbFile);
      execFileSync(program, args, { timeout: 20_000 });
      expect(filesOf(home)).toEqual(before);
      expect(await write()).toBe('stored');
      await kill();
      expect(await storedIn(home)).toEqual({ events: [1, 2], keys: [1, 2] });
    },
  );
});

test.skipIf(process.platform !== 'linux')(
  '[TR-6] the process keeps the locks that tell others that the database is in use (Linux: /proc/locks)',
  async () => {
    await using home = await trailHome();
    const { pid, write } = startWriter(home);
    await write();
    const [database, , shm] = filesOf(home);
    const held = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .filter((line) => line.includes(` ${pid} `));
    expect(held.filter((line) => line.includes(`:${database} `))).toEqual([expect.stringContaining('READ')]);
    expect(held.filter((line) => line.includes(`:${shm} `))).toEqual([expect.stringContaining('READ')]);
  },
);

test('[TR-6] whatever a program does through SQLite, no write is refused for it', {
  timeout: 120_000,
}, async () => {
  await using home = await trailHome();
  const { write } = startWriter(home);
  expect(await write()).toBe('stored');
  const foreign = spawn(process.execPath, [FOREIGN, home.dbFile, home.path, '150'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 100_000,
  });
  const ended = once(foreign, 'close');
  const answers: string[] = [];
  while (foreign.exitCode === null && foreign.signalCode === null) answers.push(await write());
  expect(await ended).toEqual([0, null]);
  await kill();
  expect(answers.filter((answer) => answer !== 'stored')).toEqual([]);
  const count = answers.length + 1;
  expect(await storedIn(home)).toMatchObject({ events: { length: count }, keys: { length: count } });
});

// SQLite has it in memory, and the kernel ends a process that looks at a part that was cut off: that is a refusal too.
test('[TR-7] an index of the log that was cut off lets nothing more be acknowledged, and loses nothing', async () => {
  await using home = await trailHome();
  const { write } = startWriter(home);
  expect(await write()).toBe('stored');
  truncateSync(`${home.dbFile}-shm`, 0);
  expect(await write()).toMatch(/^(?:StoreUnusable|AuditUnavailable|ended)$/);
  await kill();
  expect(await storedIn(home)).toEqual({ events: [1], keys: [1] });
});

const READS_CUT_OFF = `const { openStore } = await import(process.argv[1]);
const { renameSync, truncateSync } = await import('node:fs');
const [file, isMoved] = [process.argv[2], process.argv[3] === 'moved'];
const { db } = await openStore({ sqliteFile: file });
if (isMoved) renameSync(file + '-shm', file + '-elsewhere');
truncateSync(file + (isMoved ? '-elsewhere' : '-shm'), 0);
await db.selectFrom('events').selectAll().execute().catch(({ code }) => console.log(code));
process.exit()`;

test.each(['in its place', 'moved'])('[TR-7] nor is it read, %s: the process would end', async (where) => {
  await using home = await trailHome();
  const store = new URL('../../src/store/index.ts', import.meta.url).href;
  const argv = ['--input-type=module', '-e', READS_CUT_OFF, store, home.dbFile, where];
  expect(execFileSync(process.execPath, argv, { encoding: 'utf8' })).toBe('StoreUnusable\n');
});

test.skipIf(process.platform !== 'linux')(
  '[TR-6] a config or a secret that names the database does not cost the process its locks',
  async () => {
    await using home = await trailHome();
    const store = await openStore({ sqliteFile: home.dbFile });
    const link = `${home.path}/policy.yaml`;
    symlinkSync(home.dbFile, link);
    const locks = (): readonly string[] =>
      readFileSync('/proc/locks', 'utf8')
        .split('\n')
        .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${filesOf(home)[0]} `));
    expect(locks()).toHaveLength(1);
    expect(readText(link)).toMatchObject({ kind: 'problem' });
    expect(() => readSecretFile(link)).toThrow(/file of the database/);
    expect(() => readSecretFile(`${home.dbFile}-shm`)).toThrow(/file of the database/);
    expect(locks()).toHaveLength(1);
    await store.close();
  },
);

test('[TR-6] a look at the files in the middle of a copy from the log takes nothing for a change by others', async () => {
  await using home = await trailHome();
  const db = openSqliteConnection(home.dbFile);
  const files = new DatabaseFiles(home.dbFile);
  const copier = spawn(process.execPath, ['-e', COPIER, home.dbFile, '1500'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 60_000,
  });
  const closed = once(copier, 'close');
  let isOver = false;
  void closed.then(() => {
    isOver = true;
  });
  while (!isOver) {
    for (let times = 0; times < 500; times += 1) expect(files.problem()).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await closed).toEqual([0, null]);
  db.close();
  files.close();
});
