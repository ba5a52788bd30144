import { write } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PendingEvent } from '../chain/event-line.ts';
import { Journal } from './journal.ts';
import { readJournal } from './journal-file.ts';

let file: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  const dir = await tempDir();
  remove = dir.remove;
  file = join(dir.path, 'audit.journal');
});
afterEach(async () => {
  vi.useRealTimers();
  await remove();
});

function event(n: number, tail = `{"kind":"agent"},"data":{"n":${n}}}`): PendingEvent {
  const id = `evt_${String(n).padStart(8, '0')}`;
  return {
    tenant: 'default',
    id,
    at: n,
    type: 'ActionEvent::Judged',
    actionId: null,
    approvalId: null,
    tail,
  };
}

const onBroken = vi.fn<(problem: string) => void>();
afterEach(() => onBroken.mockClear());

/** `fs.write` with another end. */
function writing(
  end: (done: (error: Error | null, written: number) => void, bytes: number) => void,
): typeof write {
  const writeTo = (
    _fd: number,
    _buffer: Buffer,
    _offset: number,
    bytes: number,
    _at: number,
    done: never,
  ): void => end(done, bytes);
  // The one form of it that the journal uses.
  return writeTo as unknown as typeof write;
}

test('what is kept is in the file, in order, and is there until it is released', async () => {
  const journal = await Journal.open(file, { onBroken });
  const kept = await Promise.all([1, 2, 3].map((n) => journal.keep(event(n))));
  expect((await readJournal(file)).map(({ at }) => at)).toEqual([1, 2, 3]);
  await journal.close();
  expect(await readJournal(file)).toHaveLength(3);
  expect(kept.every((entry) => entry !== undefined)).toBe(true);
});

test('what was released is gone when it is closed', async () => {
  const journal = await Journal.open(file, { onBroken });
  for (const n of [1, 2]) (await journal.keep(event(n)))?.release();
  await journal.close();
  expect(await readJournal(file)).toEqual([]);
  expect(journal.keep(event(3))).toBeUndefined();
});

test('those that come together are written together', async () => {
  const writeTo = vi.fn(write);
  const journal = await Journal.open(file, { onBroken, writeTo: writeTo as unknown as typeof write });
  await Promise.all(Array.from({ length: 40 }, (_, n) => journal.keep(event(n))));
  expect(writeTo).toHaveBeenCalledTimes(1);
  await journal.close();
});

test.each([
  ['an error', writing((done) => done(new Error('EIO'), 0)), 'EIO'],
  ['half of it', writing((done, bytes) => done(null, bytes - 1)), 'bytes were written'],
])('a disk that answers with %s breaks it, and nothing counts as kept', async (_what, writeTo, problem) => {
  const journal = await Journal.open(file, { onBroken, writeTo });
  const kept = await Promise.all([journal.keep(event(1)), journal.keep(event(2))]);
  expect(kept).toEqual([undefined, undefined]);
  expect(onBroken.mock.calls).toEqual([[expect.stringContaining(problem)]]);
  expect(journal.keep(event(3))).toBeUndefined();
  await journal.close();
});

test('a disk that does not answer is given up, for those that wait to be written too', async () => {
  const journal = await Journal.open(file, { onBroken, writeTo: writing(() => {}) });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const first = journal.keep(event(1));
  await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
  const second = journal.keep(event(2));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
  expect(onBroken).toHaveBeenCalledTimes(1);
  await journal.close();
});

test('it takes no more than fits, and nothing longer than a frame', async () => {
  const journal = await Journal.open(file, { onBroken });
  expect(journal.keep(event(0, 'ü'.repeat(40_000)))).toBeUndefined();
  // All of three bytes: the room that is left is counted in bytes.
  const wide = `"${'€'.repeat(30_000)}"`;
  const kept = await Promise.all(Array.from({ length: 60 }, (_, n) => journal.keep(event(n, wide))));
  const taken = kept.filter((entry) => entry !== undefined);
  expect(taken.length).toBeGreaterThan(30);
  expect(taken.length).toBeLessThan(60);
  expect(await readJournal(file)).toHaveLength(taken.length);
  await journal.close();
});
