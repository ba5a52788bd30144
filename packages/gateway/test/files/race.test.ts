import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { rounds } from '@sallyport/testkit/rounds';
import { expect, test } from 'vitest';
import { LocalStorage } from '../../src/executors/files/local-storage.ts';
import { codeOf, FilesFixture } from './files-fixture.ts';

const SWAPS = rounds(100_000);

/** Starts the swapping of `work/d` for a link to `outside`, and of `work/e/f` for one to a file there. */
function startSwapping(fixture: FilesFixture) {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./swap-worker.ts', import.meta.url), {
    workerData: {
      folder: { real: fixture.at('d'), link: fixture.at('link'), aside: fixture.at('aside') },
      file: { real: fixture.at('e/f'), link: fixture.at('e/link'), aside: fixture.at('e/aside') },
      times: SWAPS,
      count,
    },
  });
  let isOver = false;
  const over = new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  }).finally(() => {
    isOver = true;
  });
  return { over, swaps: () => Atomics.load(count, 0), isOver: () => isOver };
}

test(`[TO-5] a folder that is swapped for a link ${SWAPS} times never leads out of the volume`, {
  timeout: 110_000,
}, async () => {
  const fixture = await FilesFixture.open();
  for (const name of ['d', 'e']) mkdirSync(fixture.at(name));
  for (const name of ['d/f', 'e/f']) writeFileSync(fixture.at(name), 'INSIDE');
  for (const name of ['f', 'only-outside']) writeFileSync(fixture.outside(name), 'OUTSIDE');
  symlinkSync(fixture.outside(''), fixture.at('link'));
  symlinkSync(fixture.outside('f'), fixture.at('e/link'));
  using storage = new LocalStorage({ name: 'work', path: fixture.at(''), closed: [], clock: fixture.clock });
  const signal = new AbortController().signal;
  const options = { mustBeNew: false, commit: () => {}, signal };
  const escapes: string[] = [];
  const codes = new Map<string, number>();
  const attempt = async (act: () => unknown): Promise<void> => {
    const code = await codeOf(act);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  };

  const read = async (folder: string): Promise<void> => {
    using place = storage.open([folder, 'f']);
    const { bytes } = await place.read(0, 100);
    if (bytes.includes('OUTSIDE')) escapes.push(`read ${folder}`);
  };
  const list = async (): Promise<void> => {
    using place = storage.open(['d']);
    const { entries } = await place.list('', 100);
    if (entries.some(({ name }) => name === 'only-outside')) escapes.push('list');
  };
  const write = async (name: string): Promise<void> => {
    using place = storage.open(['d', name]);
    await place.write(Buffer.from('INSIDE'), options);
  };
  const create = async (name: string): Promise<void> => {
    using place = storage.open(['d', name]);
    await place.makeFolder(() => {});
  };
  const remove = (name: string): void => {
    using place = storage.open(['d', name]);
    place.remove(() => {});
  };

  const swapping = startSwapping(fixture);
  for (let round = 0; !swapping.isOver(); round += 1) {
    for (let again = 0; again < 10; again += 1) {
      await attempt(() => read('d'));
      await attempt(() => read('e'));
    }
    await attempt(list);
    await attempt(() => storage.linkAt(['d', 'only-outside']).kind === 'plain' && escapes.push('look'));
    await attempt(() => remove('only-outside'));
    await attempt(() => create('made'));
    await attempt(() => remove('made'));
    if (round % 5 === 0) await attempt(() => write('f'));
    if (round % 10 === 0) await attempt(() => write('new'));
    // The whole way: judged where it leads, then opened.
    await attempt(async () => {
      const action = fixture.build('fs.read', { path: '/workspace/d/f' });
      if (action.target.problem !== undefined) return;
      const { structuredContent } = await fixture.run(action);
      if (structuredContent?.content === 'OUTSIDE') escapes.push('tool');
    });
    // Others get their turn, the end of the worker among them.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await swapping.over;

  expect(swapping.swaps()).toBe(SWAPS);
  expect(escapes).toEqual([]);
  expect(readdirSync(fixture.outside('')).sort()).toEqual(['f', 'only-outside']);
  for (const name of ['f', 'only-outside'])
    expect(readFileSync(fixture.outside(name), 'utf8')).toBe('OUTSIDE');
  // Both were met, or nothing was tested.
  expect(codes.get('ok')).toBeGreaterThan(rounds(100));
  expect(codes.get('PathOutsideBoundary')).toBeGreaterThan(0);
  expect(
    [...codes.keys()].every((code) => ['ok', 'PathOutsideBoundary', 'NotFound', 'Conflict'].includes(code)),
  ).toBe(true);
});
