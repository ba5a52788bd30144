import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { tempDir } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LocalStorage, type LocalStorageOptions } from '../../src/executors/files/local-storage.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { codeOf } from './files-fixture.ts';
import { describeVolumeStorage } from './volume-storage.contract.ts';

async function makeStorage(over: Partial<LocalStorageOptions> = {}) {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  const root = realpathSync(dir.path);
  for (const name of ['volume', 'outside']) mkdirSync(join(root, name));
  writeFileSync(join(root, 'outside/secret'), 'SECRET');
  const storage = new LocalStorage({
    name: 'work',
    path: join(root, 'volume'),
    closed: [],
    clock: systemClock,
    ...over,
  });
  return { storage, root, at: (name: string) => join(root, 'volume', name) };
}

describeVolumeStorage('a local folder', async () => (await makeStorage()).storage);

const options = { mustBeNew: false, commit: () => {}, signal: new AbortController().signal };

/** Node has no call for it. */
function makeFifo(path: string): void {
  execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path]);
}

/** Everything that can be asked of a place. */
async function tryAll(storage: LocalStorage, parts: readonly string[]): Promise<Record<string, string>> {
  const on = (use: (place: ReturnType<LocalStorage['open']>) => unknown): Promise<string> =>
    codeOf(async () => {
      using place = storage.open(parts);
      await use(place);
    });
  return {
    read: await on((place) => place.read(0, 100)),
    list: await on((place) => place.list('', 100)),
    write: await on((place) => place.write(Buffer.from('x'), options)),
    create: await on((place) => place.write(Buffer.from('x'), { ...options, mustBeNew: true })),
    remove: await on((place) => place.remove(() => {})),
  };
}

describe('[TO-5] what is no plain file of the volume', () => {
  test.each<{ why: string; make: (at: (name: string) => string, root: string) => unknown }>([
    {
      why: 'a link to a file outside',
      make: (at, root) => symlinkSync(join(root, 'outside/secret'), at('x')),
    },
    {
      why: 'a link to a file inside',
      make: (at) => {
        writeFileSync(at('y'), 'y');
        symlinkSync('y', at('x'));
      },
    },
    { why: 'a link to nothing', make: (at) => symlinkSync('nothing', at('x')) },
    { why: 'a link to itself', make: (at) => symlinkSync('x', at('x')) },
    { why: 'a link to a folder outside', make: (at, root) => symlinkSync(join(root, 'outside'), at('x')) },
    {
      why: 'a second name of a file outside',
      make: (at, root) => linkSync(join(root, 'outside/secret'), at('x')),
    },
    { why: 'a fifo that nobody writes to', make: (at) => makeFifo(at('x')) },
    { why: 'a link into /proc', make: (at) => symlinkSync('/proc/self/root', at('x')) },
  ])('is refused at once: $why', async ({ make }) => {
    const { storage, root, at } = await makeStorage();
    using _ = storage;
    make(at, root);
    const before = lstatSync(at('x'));
    const found = await tryAll(storage, ['x']);
    // A fifo and a second name are no folders; a link might be one, and is refused for being a link.
    expect(found).toMatchObject({
      read: 'PathOutsideBoundary',
      write: 'PathOutsideBoundary',
      create: 'PathOutsideBoundary',
      remove: 'PathOutsideBoundary',
    });
    expect(['PathOutsideBoundary', 'Conflict']).toContain(found.list);
    expect(await tryAll(storage, ['x', 'secret'])).not.toMatchObject({ read: 'ok' });
    expect(lstatSync(at('x')).ino).toBe(before.ino);
    expect(readFileSync(join(root, 'outside/secret'), 'utf8')).toBe('SECRET');
    expect(readdirSync(join(root, 'outside'))).toEqual(['secret']);
  });

  test('is refused: a socket', async () => {
    const { storage, at } = await makeStorage();
    using _ = storage;
    const server = createServer();
    await new Promise<void>((done) => server.listen(at('x'), done));
    onTestFinished(() => new Promise<void>((done) => void server.close(() => done())));
    expect(await tryAll(storage, ['x'])).toMatchObject({
      read: 'PathOutsideBoundary',
      write: 'PathOutsideBoundary',
    });
  });

  test('is refused on the way, however deep', async () => {
    const { storage, root, at } = await makeStorage();
    using _ = storage;
    mkdirSync(at('a/b'), { recursive: true });
    symlinkSync(join(root, 'outside'), at('a/b/c'));
    symlinkSync('/', at('a/root'));
    for (const parts of [
      ['a', 'b', 'c', 'secret'],
      ['a', 'root', 'tmp', 'nothing'],
      ['a', 'b', 'c', 'new', 'er'],
    ]) {
      expect(new Set(Object.values(await tryAll(storage, parts)))).toEqual(new Set(['PathOutsideBoundary']));
    }
    expect(readdirSync(join(root, 'outside'))).toEqual(['secret']);
  });
});

describe('a local folder', () => {
  test('keeps the mode of what it replaces, without set-uid, and gives new things a plain one', async () => {
    const { storage, at } = await makeStorage();
    using _ = storage;
    writeFileSync(at('run'), 'old');
    chmodSync(at('run'), 0o4755);
    for (const name of ['run', 'new']) {
      using place = storage.open([name]);
      await place.write(Buffer.from('x'), options);
    }
    using place = storage.open(['d']);
    await place.makeFolder(() => {});
    expect(['run', 'new', 'd'].map((name) => (statSync(at(name)).mode & 0o7777).toString(8))).toEqual([
      '755',
      '644',
      '755',
    ]);
  });

  test('belongs to the user and group of the sandbox, as far as the system lets the gateway give it', async () => {
    const isRoot = process.getuid?.() === 0;
    const uid = isRoot ? 12_345 : (process.getuid?.() ?? 0);
    const gid = isRoot ? 23_456 : (process.getgid?.() ?? 0);
    const { storage, at } = await makeStorage({ uid, gid });
    using _ = storage;
    using file = storage.open(['f']);
    await file.write(Buffer.from('x'), options);
    using folder = storage.open(['d']);
    await folder.makeFolder(() => {});
    for (const name of ['f', 'd']) expect(statSync(at(name))).toMatchObject({ uid, gid });
  });

  test('hides unfinished files and takes away those that a killed gateway left', async () => {
    const { storage, at } = await makeStorage();
    using _ = storage;
    const part = `.sallyport-${'0'.repeat(24)}.part`;
    writeFileSync(at(part), 'half');
    using root = storage.open([]);
    expect((await root.list('', 10)).entries).toEqual([]);
    expect(await tryAll(storage, [part])).toMatchObject({
      read: 'Conflict',
      write: 'Conflict',
      remove: 'Conflict',
    });
    expect(await storage.measure()).toEqual({ bytes: 4, entries: 1 });
    const yesterday = Date.now() / 1000 - 86_400;
    utimesSync(at(part), yesterday, yesterday);
    expect(await storage.measure()).toEqual({ bytes: 0, entries: 0 });
    expect(existsSync(at(part))).toBe(false);
  });

  test('counts names that are not UTF-8, and shows them', async () => {
    const { storage, at } = await makeStorage();
    using _ = storage;
    writeFileSync(Buffer.concat([Buffer.from(at('a')), Buffer.from([0xff, 0xfe])]), '12345');
    expect(await storage.measure()).toEqual({ bytes: 5, entries: 1 });
    using root = storage.open([]);
    expect((await root.list('', 10)).entries).toEqual([{ name: 'a\ufffd\ufffd', kind: 'file', size: 5 }]);
  });

  test('that was removed and made again is found again; one that is gone is an error that names no path', async () => {
    const { storage, root, at } = await makeStorage();
    using _ = storage;
    writeFileSync(at('f'), 'one');
    expect((await tryAll(storage, ['f'])).read).toBe('ok');
    rmSync(at(''), { recursive: true });
    let error: unknown;
    try {
      storage.open(['f']);
    } catch (failure) {
      error = failure;
    }
    expect(error).toMatchObject({ code: 'Unavailable' });
    expect(String(error)).not.toContain(root);
    mkdirSync(at(''));
    writeFileSync(at('f'), 'two');
    expect((await tryAll(storage, ['f'])).read).toBe('ok');
  });

  test.each([
    { why: 'the home itself', closed: (root: string) => join(root, 'volume') },
    { why: 'a folder in the home', closed: (root: string) => root },
    { why: 'a folder around the home', closed: (root: string) => join(root, 'volume/home') },
    { why: 'the root', closed: () => '/' },
  ])('is never $why of the gateway', async ({ closed }) => {
    const { root } = await makeStorage();
    mkdirSync(join(root, 'volume/home'));
    using storage = new LocalStorage({
      name: 'w',
      path: join(root, 'volume'),
      closed: [closed(root)],
      clock: systemClock,
    });
    expect(await codeOf(() => storage.open(['f']))).toBe('Unavailable');
  });

  test.each([
    { why: 'a link to the home', path: 'innocent', closed: 'outside' },
    { why: 'the home, which is itself named by a link', path: 'outside', closed: 'innocent' },
  ])('is never $why', async ({ path, closed }) => {
    const { root } = await makeStorage();
    symlinkSync('outside', join(root, 'innocent'));
    using storage = new LocalStorage({
      name: 'w',
      path: join(root, path),
      closed: [join(root, closed)],
      clock: systemClock,
    });
    expect(await codeOf(() => storage.open(['secret']))).toBe('Unavailable');
  });

  test('goes on in a folder that was moved inside the volume while it was held', async () => {
    const { storage, at } = await makeStorage();
    using _ = storage;
    mkdirSync(at('d'));
    using place = storage.open(['d', 'f']);
    renameSync(at('d'), at('moved'));
    symlinkSync('../outside', at('d'));
    await place.write(Buffer.from('x'), options);
    expect(readFileSync(at('moved/f'), 'utf8')).toBe('x');
  });

  test('nested deeper than is measured is an error, not a guess', async () => {
    const { storage, at } = await makeStorage();
    using _ = storage;
    mkdirSync(at(Array(300).fill('d').join('/')), { recursive: true });
    expect(await codeOf(() => storage.measure())).toBe('Unprocessable');
  });

  test('holds no descriptor longer than it is used', async () => {
    const { storage, at } = await makeStorage();
    mkdirSync(at('a/b/c'), { recursive: true });
    const open = (): number => readdirSync('/proc/self/fd').length;
    await tryAll(storage, ['a', 'b', 'c', 'f']);
    const before = open();
    for (let round = 0; round < 20; round += 1) {
      await tryAll(storage, ['a', 'b', 'c', 'f']);
      await tryAll(storage, ['a', 'none', 'f']);
      storage.linkAt(['a', 'b', 'c']);
      storage.linkAt(['a', 'b', 'none']);
      await storage.measure();
    }
    expect(open()).toBeLessThanOrEqual(before + 2);
    storage[Symbol.dispose]();
    expect(open()).toBeLessThan(before + 2);
  });
});
