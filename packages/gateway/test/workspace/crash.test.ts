import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit/needs';
import { soakRounds } from '@sallyport/testkit/rounds';
import { makeTemplate, observe } from '@sallyport/testkit/workspace-template';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addTrio, REBUILT, work } from './one-of-everything.ts';
import { fixture, IN_MEMORY, runIn, type WorkspaceFixture } from './workspace-fixture.ts';

const needs = requireEngine('git');
const CHILD = join(import.meta.dirname, 'crash.child.ts');

/** Runs the child; how many calls it made that write, when nothing killed it. */
function run({ home, work: folder }: WorkspaceFixture, what: 'undo' | 'take', moment: number): number {
  const { stdout, signal, stderr } = spawnSync(
    process.execPath,
    [CHILD, home, folder, what, String(moment)],
    {
      encoding: 'utf8',
    },
  );
  expect(signal, stderr).toBe(moment === 0 ? null : 'SIGKILL');
  return Number(stdout);
}

/** Moments of an undo or a snapshot, spread over all of it, and others each time. */
function moments(calls: number): readonly number[] {
  const count = Math.min(calls, soakRounds(400));
  return Array.from({ length: count }, (_, n) => 1 + Math.floor(((n + Math.random()) * calls) / count));
}

describe.skipIf(needs.missing)(`killed right before a call that writes (${needs.install})`, () => {
  let folder = '';
  /** a home and a workspace after a run that did everything */
  let worked: WorkspaceFixture;
  let [before, after]: readonly ReadonlyMap<string, string>[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(IN_MEMORY, 'undo-template-'));
    makeTemplate(join(folder, 'work'));
    worked = fixture(join(folder, 'work'), IN_MEMORY);
    addTrio(worked);
    before = observe(worked.work, REBUILT);
    runIn(worked.open(), () => work(worked));
    after = observe(worked.work, REBUILT);
  });
  afterAll(() => {
    worked[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The same home and workspace at the same place: a store knows its workspace by its path. */
  function again(): void {
    spawnSync('cp', ['-a', worked.folder, `${worked.folder}-kept`]);
  }
  function putBack(): void {
    for (const name of ['home', 'work']) {
      rmSync(join(worked.folder, name), { recursive: true });
      spawnSync('cp', ['-a', join(`${worked.folder}-kept`, name), join(worked.folder, name)]);
    }
  }

  test('[WO-1] an undo is finished or taken back by the next command: old or new, never mixed, nothing left over', () => {
    again();
    try {
      const seen = { old: 0, new: 0 };
      for (const moment of moments(run(worked, 'undo', 0))) {
        putBack();
        run(worked, 'undo', moment);
        const workspace = worked.open();
        workspace.recover();
        expect(existsSync(join(workspace.store.folder, 'undo.journal'))).toBe(false);
        const now = observe(worked.work, REBUILT);
        const isNew = now.has('/src/a.txt');
        expect(now, `killed before call ${moment}`).toEqual(isNew ? before : after);
        seen[isNew ? 'new' : 'old'] += 1;
      }
      if (seen.old + seen.new >= 20) expect(Math.min(seen.old, seen.new)).toBeGreaterThan(0);
    } finally {
      rmSync(`${worked.folder}-kept`, { recursive: true, force: true });
    }
  }, 3_600_000);

  test('[WO-1] a snapshot is whole, or it is none', () => {
    using place = fixture(join(folder, 'work'), IN_MEMORY);
    const calls = run(place, 'take', 0);
    let known = place.open().store.snapshots.length;
    for (const moment of moments(calls)) {
      writeFileSync(place.at('file'), `${moment}`.repeat(1_000));
      // What a killed one left may make the next one shorter.
      const { home, work: at } = place;
      spawnSync(process.execPath, [CHILD, home, at, 'take', String(moment)]);
      const { store } = place.open();
      expect(store.snapshots.length).toBeGreaterThanOrEqual(known);
      for (const snapshot of store.snapshots.slice(known))
        for (const entry of store.tree(snapshot).values())
          if (entry.kind === 'file') store.objects.check(entry.hash);
      known = store.snapshots.length;
    }
  }, 3_600_000);
});
