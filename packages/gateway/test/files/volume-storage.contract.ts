import { describe, expect, test } from 'vitest';
import type { Usage, VolumeStorage } from '../../src/executors/files/volume-storage.ts';
import { codeOf } from './files-fixture.ts';

const signal = new AbortController().signal;

/** What every storage of volumes promises. `make` gives an empty one. */
export function describeVolumeStorage(name: string, make: () => Promise<VolumeStorage>): void {
  const put = async (
    storage: VolumeStorage,
    path: string,
    text: string,
    mustBeNew = false,
  ): Promise<Usage[]> => {
    using place = storage.open(path.split('/'));
    const changes: Usage[] = [];
    await place.write(Buffer.from(text), {
      mustBeNew,
      commit: (change) => void changes.push(change),
      signal,
    });
    return changes;
  };
  const get = async (storage: VolumeStorage, path: string): Promise<string> => {
    using place = storage.open(path.split('/'));
    return (await place.read(0, 1_000_000)).bytes.toString();
  };
  const folder = async (storage: VolumeStorage, path: string): Promise<void> => {
    using place = storage.open(path.split('/'));
    await place.makeFolder(() => {});
  };

  describe(`${name} as a storage of volumes`, () => {
    test('gives back what was written, and replaces it as a whole', async () => {
      using storage = await make();
      expect(await put(storage, 'a', 'one')).toEqual([{ bytes: 3, entries: 1 }]);
      expect(await put(storage, 'a', 'longer')).toEqual([{ bytes: 3, entries: 0 }]);
      expect(await put(storage, 'a', '')).toEqual([{ bytes: -6, entries: 0 }]);
      expect(await get(storage, 'a')).toBe('');
    });

    test('reads ranges, and nothing beyond the end', async () => {
      using storage = await make();
      await put(storage, 'a', '0123456789');
      using place = storage.open(['a']);
      expect(await place.read(3, 4)).toEqual({ bytes: Buffer.from('3456'), size: 10 });
      expect(await place.read(8, 100)).toEqual({ bytes: Buffer.from('89'), size: 10 });
      expect(await place.read(10, 1)).toEqual({ bytes: Buffer.alloc(0), size: 10 });
      expect(await place.read(Number.MAX_SAFE_INTEGER, 1)).toEqual({ bytes: Buffer.alloc(0), size: 10 });
    });

    test('lists by name, page by page', async () => {
      using storage = await make();
      await folder(storage, 'd');
      for (const file of ['c', 'a', 'é', 'b']) await put(storage, `d/${file}`, file);
      using place = storage.open(['d']);
      const first = await place.list('', 2);
      expect(first).toEqual({
        entries: [
          { name: 'a', kind: 'file', size: 1 },
          { name: 'b', kind: 'file', size: 1 },
        ],
        more: true,
      });
      expect((await place.list('b', 10)).entries.map((entry) => entry.name)).toEqual(['c', 'é']);
      expect(await place.list('é', 10)).toEqual({ entries: [], more: false });
    });

    test('counts what it holds', async () => {
      using storage = await make();
      await folder(storage, 'd');
      await put(storage, 'd/x', '12345');
      await put(storage, 'y', '123');
      expect(await storage.measure()).toEqual({ bytes: 8, entries: 3 });
    });

    test('removes files and empty folders, and says what became free', async () => {
      using storage = await make();
      await folder(storage, 'd');
      await put(storage, 'd/x', '12345');
      const changes: Usage[] = [];
      const remove = (...parts: string[]): void => {
        using place = storage.open(parts);
        place.remove((change) => void changes.push(change));
      };
      expect(await codeOf(() => remove('d'))).toBe('Conflict');
      remove('d', 'x');
      remove('d');
      expect(changes).toEqual([
        { bytes: -5, entries: -1 },
        { bytes: 0, entries: -1 },
      ]);
      expect(await storage.measure()).toEqual({ bytes: 0, entries: 0 });
    });

    test.each<{ why: string; code: string; act: (storage: VolumeStorage) => unknown }>([
      { why: 'reading what is not there', code: 'NotFound', act: (s) => get(s, 'none') },
      { why: 'reading a folder', code: 'Conflict', act: (s) => get(s, 'd') },
      { why: 'reading below a file', code: 'Conflict', act: (s) => get(s, 'f/x') },
      { why: 'writing into a folder that is not there', code: 'NotFound', act: (s) => put(s, 'none/x', 'x') },
      { why: 'writing over a folder', code: 'Conflict', act: (s) => put(s, 'd', 'x') },
      { why: 'making a file that is there', code: 'Conflict', act: (s) => put(s, 'f', 'x', true) },
      { why: 'making a folder that is there', code: 'Conflict', act: (s) => folder(s, 'd') },
      { why: 'making a folder where a file is', code: 'Conflict', act: (s) => folder(s, 'f') },
      { why: 'a name that is too long', code: 'BadRequest', act: (s) => put(s, 'x'.repeat(300), 'x') },
      {
        why: 'more components than anyone needs',
        code: 'BadRequest',
        act: (s) => s.open(Array(200).fill('d')),
      },
    ])('refuses $why: $code', async ({ code, act }) => {
      using storage = await make();
      await folder(storage, 'd');
      await put(storage, 'f', 'keep');
      expect(await codeOf(() => act(storage))).toBe(code);
      expect(await get(storage, 'f')).toBe('keep');
      expect(await storage.measure()).toEqual({ bytes: 4, entries: 2 });
    });

    test.each(['.', '..', '', 'a/b', '/', 'a\0b', '../x', 'd/..'])(
      '[TO-4] refuses %j as a name, whatever is asked of it',
      async (bad) => {
        using storage = await make();
        await folder(storage, 'd');
        for (const parts of [[bad], ['d', bad], [bad, 'x']]) {
          expect(storage.linkAt(parts)).toEqual({ kind: 'unreadable' });
          const ways = [
            () => storage.open(parts)[Symbol.dispose](),
            async () => {
              using place = storage.open(parts);
              await place.read(0, 1);
            },
          ];
          expect(await codeOf(ways[1] ?? (() => {}))).toBe('PathTraversalAttempt');
        }
        using place = storage.open([bad].slice(0, 1));
        const options = { mustBeNew: false, commit: () => {}, signal };
        expect(await codeOf(() => place.write(Buffer.from('x'), options))).toBe('PathTraversalAttempt');
        expect(await codeOf(() => place.makeFolder(() => {}))).toBe('PathTraversalAttempt');
        expect(await codeOf(() => place.remove(() => {}))).toBe('PathTraversalAttempt');
        expect(await codeOf(() => place.list('', 1))).toBe('PathTraversalAttempt');
      },
    );

    test('changes nothing when the change is not accepted, and leaves nothing behind', async () => {
      using storage = await make();
      await put(storage, 'f', 'keep');
      const no = (): never => {
        throw new Error('no room');
      };
      using place = storage.open(['f']);
      await expect(place.write(Buffer.from('new'), { mustBeNew: false, commit: no, signal })).rejects.toThrow(
        'no room',
      );
      using other = storage.open(['d']);
      await expect(other.makeFolder(no)).rejects.toThrow('no room');
      expect(await get(storage, 'f')).toBe('keep');
      expect(await storage.measure()).toEqual({ bytes: 4, entries: 1 });
    });

    test('stops when the caller leaves, and leaves nothing behind', async () => {
      using storage = await make();
      await put(storage, 'f', 'keep');
      using place = storage.open(['f']);
      const gone = AbortSignal.abort();
      const write = (): Promise<void> =>
        place.write(Buffer.from('x'), { mustBeNew: false, commit: () => {}, signal: gone });
      expect(await codeOf(write)).toBe('Unavailable');
      expect(await get(storage, 'f')).toBe('keep');
      expect(await storage.measure()).toEqual({ bytes: 4, entries: 1 });
    });

    test('of many who make the same file at once one makes it', async () => {
      using storage = await make();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => codeOf(() => put(storage, 'f', `by ${index}`, true))),
      );
      expect(results.filter((result) => result === 'ok')).toHaveLength(1);
      expect(results.filter((result) => result === 'Conflict')).toHaveLength(19);
      expect((await storage.measure()).entries).toBe(1);
    });

    test('whoever reads while it is written sees one whole file or the other', async () => {
      using storage = await make();
      const size = 200_000;
      await put(storage, 'f', 'a'.repeat(size));
      const writing = (async () => {
        for (let round = 0; round < 10; round += 1)
          await put(storage, 'f', (round % 2 ? 'a' : 'b').repeat(size));
      })();
      let isWriting = true;
      void writing.finally(() => {
        isWriting = false;
      });
      const seen = new Set<string>();
      while (isWriting) {
        const text = await get(storage, 'f');
        seen.add(`${text.length} ${new Set(text).size}`);
      }
      await writing;
      expect([...seen]).toEqual([`${size} 1`]);
    });

    test('says where a path goes on, and follows nothing', async () => {
      using storage = await make();
      await folder(storage, 'd');
      await put(storage, 'd/x', 'x');
      expect(storage.linkAt([])).toEqual({ kind: 'plain' });
      expect(storage.linkAt(['d'])).toEqual({ kind: 'plain' });
      expect(storage.linkAt(['d', 'x'])).toEqual({ kind: 'plain' });
      expect(storage.linkAt(['none'])).toEqual({ kind: 'missing' });
      expect(storage.linkAt(['none', 'x'])).toEqual({ kind: 'missing' });
      expect(storage.linkAt(['d', 'x', 'y'])).toEqual({ kind: 'missing' });
      expect(storage.linkAt(Array(200).fill('d'))).toEqual({ kind: 'unreadable' });
    });
  });
}
