import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openStore, type Store, type StoreLocation } from '../../src/store/index.ts';

const WRITER = fileURLToPath(new URL('./fixtures/session-writer.ts', import.meta.url));

/** What both engines promise when processes die, or start at the same moment. */
export function describeCrashContract(name: string, fresh: () => Promise<StoreLocation>): void {
  describe(`${name} under processes that die or race`, () => {
    test.each([{ acks: 1 }, { acks: 7 }, { acks: 40 }])(
      '[TR-1] what was acknowledged before kill -9 is there ($acks acknowledged)',
      async ({ acks }) => {
        const where = await fresh();
        const writer = startWriter(where);
        const acknowledged: string[] = [];
        for await (const line of createInterface({ input: writer.stdout })) {
          if (line.startsWith('sess_')) acknowledged.push(line);
          if (acknowledged.length === acks) writer.kill('SIGKILL');
        }
        expect(acknowledged.length).toBeGreaterThanOrEqual(acks);

        const store = await openStore(where);
        try {
          const stored = new Set(await storedIds(store));
          expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
        } finally {
          await store.close();
        }
      },
    );

    test('a process that is killed while it migrates leaves a database that the next one opens', async () => {
      const where = await fresh();
      for (let round = 0; round < 3; round += 1) {
        const writer = startWriter(where, 0);
        // It has just begun to open the store: the kill strikes somewhere between that and having migrated.
        await once(writer.stdout, 'data');
        writer.kill('SIGKILL');
        await once(writer, 'close');
      }
      const store = await openStore(where);
      expect(await storedIds(store)).toEqual([]);
      await store.close();
    });

    test('four processes that start at once on an empty place all open it and all can write', async () => {
      const where = await fresh();
      const writers = Array.from({ length: 4 }, () => startWriter(where, 5));
      const exits = await Promise.all(writers.map((writer) => once(writer, 'close')));
      expect(exits.map(([code]) => code)).toEqual([0, 0, 0, 0]);
      const store = await openStore(where);
      expect(await storedIds(store)).toHaveLength(20);
      await store.close();
    });
  });
}

function startWriter(where: StoreLocation, count?: number): ChildProcessByStdio<null, Readable, null> {
  const args = [WRITER, JSON.stringify(where), ...(count === undefined ? [] : [String(count)])];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function storedIds(store: Store): Promise<readonly string[]> {
  return (await store.db.selectFrom('sessions').select('id').execute()).map(({ id }) => id);
}
