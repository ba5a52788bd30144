import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { requireEngine } from '@sallyport/testkit/needs';
import { soakRounds } from '@sallyport/testkit/rounds';
import { makeTemplate, observe } from '@sallyport/testkit/workspace-template';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture, IN_MEMORY, runIn, type WorkspaceFixture } from './workspace-fixture.ts';

const needs = requireEngine('git');
const CHILD = join(import.meta.dirname, 'killed.child.ts');
const KILLS = soakRounds(200);
/** A kill by chance may miss; this many in a row do not. */
const MOST_KILLS = KILLS + 50;
/** Longer than one round of what the child does. */
const LONGEST_MS = 250;

/** Starts the child and kills it at a moment of chance. */
async function kill({ home, work }: WorkspaceFixture, what: 'undo' | 'take'): Promise<void> {
  const child = spawn(process.execPath, [CHILD, home, work, what], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  await after(Math.random() * LONGEST_MS);
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** Until there were enough, and one of them was in time. */
function isWanted(done: number, hits: number): boolean {
  return done < KILLS || (hits === 0 && done < MOST_KILLS);
}

describe.skipIf(needs.missing)(`kill -9 (${needs.install})`, () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(IN_MEMORY, 'undo-template-'));
    makeTemplate(join(folder, 'work'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('[WO-1] in the middle of an undo: the next command finishes it or takes it back, and nothing is mixed', async () => {
    let cut = 0;
    for (let done = 0; isWanted(done, cut); ) {
      using place = fixture(join(folder, 'work'), IN_MEMORY);
      const skipped = ['/node_modules', '/out'];
      const before = observe(place.work, skipped);
      runIn(place.open(), () => {
        rmSync(place.at('.git'), { recursive: true });
        rmSync(place.at('src'), { recursive: true });
        writeFileSync(place.at('README.md'), 'changed');
        writeFileSync(place.at('src'), 'a file where a folder was');
        for (let n = 0; n < 50; n += 1) writeFileSync(place.at(`new-${n}`), String(n));
      });
      const worked = observe(place.work, skipped);
      // The store grows with each undo.
      for (let n = 0; n < 20 && isWanted(done, cut); n += 1, done += 1) {
        await kill(place, 'undo');
        const workspace = place.open();
        const journal = join(workspace.store.folder, 'undo.journal');
        if (existsSync(journal)) cut += 1;
        workspace.recover();
        expect(existsSync(journal)).toBe(false);
        const now = observe(place.work, skipped);
        expect(now).toEqual(now.has('/src/a.txt') ? before : worked);
      }
    }
    expect(cut).toBeGreaterThan(0);
  }, 3_600_000);

  test('[WO-1] in the middle of a snapshot: it is whole, or it is none', async () => {
    using place = fixture(undefined, IN_MEMORY);
    let most = 0;
    for (let n = 0; isWanted(n, most); n += 1) {
      await kill(place, 'take');
      const { store } = place.open();
      expect(store.snapshots.length).toBeGreaterThanOrEqual(most);
      for (const snapshot of store.snapshots.slice(most))
        for (const entry of store.tree(snapshot).values())
          if (entry.kind === 'file') store.objects.check(entry.hash);
      most = store.snapshots.length;
    }
    expect(most).toBeGreaterThan(0);
  }, 3_600_000);
});
