import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { requireEngine } from '@sallyport/testkit/needs';
import { makeTemplate, observe } from '@sallyport/testkit/workspace-template';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listRuns, runChanges } from '../../src/workspace/history/report.ts';
import type { Workspace } from '../../src/workspace/history/workspace.ts';
import { fixture, runIn, undo, type WorkspaceFixture } from './workspace-fixture.ts';

const needs = requireEngine('git');

/** A workspace with one of everything, and a store. */
function begin(): { readonly place: WorkspaceFixture; readonly workspace: Workspace } {
  const place = fixture();
  onTestFinished(() => place[Symbol.dispose]());
  rmSync(place.work, { recursive: true });
  makeTemplate(place.work);
  return { place, workspace: place.open() };
}

function kept(workspace: Workspace, request: { force?: boolean; run?: string } = {}): Record<string, string> {
  return workspace.plan({ force: false, ...request }, ({ plan }) =>
    Object.fromEntries(plan.kept.map(({ path, why }) => [path, why])),
  );
}

describe.skipIf(needs.missing)(`undo (${needs.install})`, () => {
  test('[WO-1] gives back a workspace that was deleted, and undoing that deletes it again', () => {
    const { place, workspace } = begin();
    const before = observe(place.work);
    runIn(workspace, () => {
      rmSync(place.work, { recursive: true });
      mkdirSync(place.work);
    });
    const { isDone, meanwhile, id, planned } = undo(workspace);
    expect({ isDone, meanwhile }).toEqual({ isDone: true, meanwhile: [] });
    // What is rebuilt is not held, and that is said.
    expect(planned.plan.kept.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      'node_modules: not-held',
      'out: not-held',
    ]);
    const held = [...before].filter(([path]) => !/^\/(?:node_modules|out)/.test(path));
    expect(observe(place.work)).toEqual(new Map(held));
    expect(place.git('fsck', '--strict')).toBe('');
    undo(workspace, { run: id });
    expect([...observe(place.work).keys()]).toEqual(['']);
  });

  test('tells what a run did, and which runs are held', () => {
    const { place, workspace } = begin();
    runIn(workspace, () => {
      writeFileSync(place.at('new.txt'), 'one\ntwo\n');
      rmSync(place.at('src/deep/b.txt'));
    });
    const { workspace: path, runs } = listRuns(workspace);
    expect(path).toBe(place.work);
    expect(runs).toHaveLength(1);
    const changes = runChanges(workspace, runs[0]?.id ?? '');
    expect(changes?.lines).toMatchObject({ added: 2, removed: 1, uncounted: 0 });
    expect(runChanges(workspace, 'sess_none')).toBeUndefined();
  });

  test('[WO-1] brings back the folder itself, where an agent without a jail removed it', () => {
    const { place, workspace } = begin();
    chmodSync(place.work, 0o750);
    const run = { id: 'sess_1', tenant: 'default', agent: 'dev', kind: 'run' } as const;
    workspace.take({ run, kind: 'start', isQuiet: true });
    rmSync(place.work, { recursive: true });
    undo(place.open(), { force: true });
    expect(readFileSync(place.at('src/deep/b.txt'), 'utf8')).toBe('b\n');
    expect(observe(place.work).get('')).toBe('folder 750');
  });

  test('[WO-4] keeps what changed after the run, until told', () => {
    const { place, workspace } = begin();
    runIn(workspace, () => {
      writeFileSync(place.at('README.md'), 'by the agent\n');
      writeFileSync(place.at('untracked.txt'), 'by the agent\n');
    });
    appendFileSync(place.at('untracked.txt'), 'and by me\n');
    writeFileSync(place.at('mine'), 'new, and mine\n');
    rmSync(place.at('run.sh'));
    expect(kept(workspace)).toEqual({ mine: 'yours', 'run.sh': 'yours', 'untracked.txt': 'yours' });
    undo(workspace);
    expect(readFileSync(place.at('README.md'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(readFileSync(place.at('untracked.txt'), 'utf8')).toBe('by the agent\nand by me\n');
    expect([existsSync(place.at('mine')), existsSync(place.at('run.sh'))]).toEqual([true, false]);
    undo(workspace, { force: true });
    expect(readFileSync(place.at('untracked.txt'), 'utf8')).toBe('mine\n');
    expect([existsSync(place.at('mine')), existsSync(place.at('run.sh'))]).toEqual([false, true]);
  });

  test('[WO-4] keeps a repository in which the person committed since, and puts the files back', () => {
    const { place, workspace } = begin();
    runIn(workspace, () => {
      writeFileSync(place.at('README.md'), 'by the agent\n');
      place.git('commit', '-qam', 'by the agent');
    });
    writeFileSync(place.at('mine'), 'mine\n');
    place.git('add', 'mine');
    place.git('commit', '-qm', 'mine');
    expect(kept(workspace)).toMatchObject({ '.git': 'yours', mine: 'yours' });
    undo(workspace);
    expect(place.git('log', '--format=%s', '-2')).toBe('mine\nby the agent\n');
    expect(readFileSync(place.at('README.md'), 'utf8')).toBe('one\ntwo\nthree\n');
    undo(workspace, { force: true });
    expect(place.git('log', '--format=%s', '-1')).toBe('second\n');
  });

  test.each([
    { why: 'a look at its state', act: ['status'] },
    { why: 'a list of what is different', act: ['diff'] },
    { why: 'packing its objects', act: ['repack', '-adq'] },
    { why: 'packing its branches', act: ['pack-refs', '--all'] },
  ])('[WO-4] $why is no work of the person', ({ act }) => {
    const { place, workspace } = begin();
    const state = (): string =>
      ['for-each-ref', 'stash list', 'rev-parse HEAD', 'diff --cached', 'status --porcelain']
        .map((line) => place.git(...line.split(' ')))
        .join('\n');
    const before = state();
    runIn(workspace, () => place.git('commit', '-qam', 'by the agent'));
    place.git(...act);
    expect(kept(workspace)).toEqual({});
    undo(workspace);
    expect(state()).toBe(before);
  });

  test.each([
    { why: 'a branch', act: ['branch', 'mine'] },
    { why: 'something added', act: ['add', 'untracked.txt'] },
    { why: 'a stash', act: ['stash', '-q'] },
    { why: 'a setting', act: ['config', 'user.name', 'ana'] },
    { why: 'a tag that is gone', act: ['tag', '-d', 'v1'] },
  ])('[WO-4] $why is', ({ act }) => {
    const { place, workspace } = begin();
    runIn(workspace, () => place.git('commit', '-q', '--allow-empty', '-m', 'by the agent'));
    writeFileSync(place.at('README.md'), 'mine\n');
    place.git(...act);
    expect(kept(workspace)).toMatchObject({ '.git': 'yours' });
  });

  test('[WO-4] where nobody saw the end of the run, everything could be the person’s', () => {
    const { place, workspace } = begin();
    const run = { id: 'sess_1', tenant: 'default', agent: 'dev', kind: 'run' } as const;
    workspace.take({ run, kind: 'start', isQuiet: true });
    writeFileSync(place.at('README.md'), 'whose?\n');
    expect(kept(workspace)).toEqual({ 'README.md': 'unsure' });
    expect(kept(workspace, { force: true })).toEqual({});
  });

  test('touches nothing outside of the paths that were chosen', () => {
    const { place, workspace } = begin();
    runIn(workspace, () => {
      for (const path of ['README.md', 'src/a.txt', 'src/deep/b.txt'])
        writeFileSync(place.at(path), 'agent\n');
      rmSync(place.at('nested'), { recursive: true });
    });
    undo(workspace, { paths: ['src/deep', 'nested/file'] });
    expect(
      ['README.md', 'src/a.txt', 'src/deep/b.txt', 'nested/file'].map((path) =>
        readFileSync(place.at(path), 'utf8'),
      ),
    ).toEqual([...['agent\n', 'agent\n', 'b\n', 'of another repository\n']]);
    expect(existsSync(place.at('nested/.git'))).toBe(false);
  });

  test('refuses to put back a part of what belongs together', () => {
    const { place, workspace } = begin();
    runIn(workspace, () => {
      place.git('commit', '-qam', 'work');
      writeFileSync(place.at('same-1'), 'both names\n');
    });
    expect(() => undo(workspace, { paths: ['.git/HEAD', '.git/refs'] })).toThrow('put back as a whole');
    expect(() => undo(workspace, { paths: ['same-1'] })).toThrow(
      '`same-1` and `src/same-2` are names of one file',
    );
    undo(workspace, { paths: ['same-1', 'src'] });
    expect(readFileSync(place.at('src/same-2'), 'utf8')).toBe('one file\n');
  });

  test('what stays can stand in the way, and is said', () => {
    const { place, workspace } = begin();
    runIn(workspace, () => {
      rmSync(place.at('src'), { recursive: true });
      rmSync(place.at('README.md'));
      mkdirSync(place.at('README.md'));
    });
    writeFileSync(place.at('src'), 'a file of mine\n');
    writeFileSync(place.at('README.md/mine'), 'in a folder of the agent\n');
    expect(kept(workspace)).toMatchObject({
      ...{ src: 'yours', 'src/a.txt': 'in-the-way', 'README.md': 'in-the-way', 'README.md/mine': 'yours' },
    });
    undo(workspace);
    expect(readFileSync(place.at('src'), 'utf8')).toBe('a file of mine\n');
    expect(existsSync(place.at('README.md/mine'))).toBe(true);
  });

  test('does not take away what no snapshot holds', () => {
    const { place, workspace } = begin();
    runIn(workspace, () => {
      mkdirSync(place.at('web/node_modules'), { recursive: true });
      writeFileSync(place.at('web/node_modules/x'), '');
      writeFileSync(place.at('web/index.js'), '');
      writeFileSync(place.at('big.log'), Buffer.alloc(1024 * 1024 + 1));
      rmSync(place.at('out'), { recursive: true });
    });
    expect(kept(workspace)).toEqual({
      ...{
        'big.log': 'new-not-held',
        out: 'not-held',
        web: 'in-the-way',
        'web/node_modules': 'new-not-held',
      },
    });
    undo(workspace);
    expect(
      ['web/node_modules/x', 'web/index.js', 'big.log'].map((path) => existsSync(place.at(path))),
    ).toEqual([...[true, false, true]]);
  });

  test('holds what it must take away, whatever its name says', () => {
    const { place, workspace } = begin();
    runIn(workspace, () => {
      rmSync(place.at('README.md'));
      mkdirSync(place.at('README.md/node_modules'), { recursive: true });
      writeFileSync(place.at('README.md/node_modules/x'), 'of the agent');
      appendFileSync(place.at('.gitignore'), 'src/\nuntracked.txt\n');
      writeFileSync(place.at('untracked.txt'), Buffer.alloc(1024 * 1024 + 1, 'x'));
    });
    const worked = observe(place.work);
    const { id, planned } = undo(workspace);
    expect(planned.plan.kept).toEqual([]);
    expect(readFileSync(place.at('README.md'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(readFileSync(place.at('untracked.txt'), 'utf8')).toBe('mine\n');
    undo(workspace, { run: id });
    expect(observe(place.work)).toEqual(worked);
  });

  test('a change after it was shown is refused', () => {
    const { place, workspace } = begin();
    const run = runIn(workspace, () => writeFileSync(place.at('README.md'), 'agent\n'));
    const digest = workspace.plan({ force: true }, ({ plan }) => plan.digest);
    writeFileSync(place.at('README.md'), 'mine, just now\n');
    const facts = { id: 'undo_1', tenant: 'default', agent: run, kind: 'undo' } as const;
    expect(() => workspace.undo({ force: true }, digest, facts)).toThrow('changed since you were shown');
    expect(readFileSync(place.at('README.md'), 'utf8')).toBe('mine, just now\n');
  });

  test('goes back to a moment in between, and to an earlier run', () => {
    const { place, workspace } = begin();
    const first = runIn(workspace, () => writeFileSync(place.at('README.md'), 'first\n'));
    const run = { id: 'sess_x', tenant: 'default', agent: 'dev', kind: 'run' } as const;
    workspace.take({ run, kind: 'start', isQuiet: true });
    writeFileSync(place.at('README.md'), 'second\n');
    const { id: between } = workspace.take({ run, kind: 'timed', isQuiet: false });
    expect(workspace.take({ run, kind: 'timed', isQuiet: false }).id).toBe(between);
    writeFileSync(place.at('README.md'), 'third\n');
    workspace.take({ run, kind: 'end', isQuiet: true });
    const text = (): string => readFileSync(place.at('README.md'), 'utf8');
    undo(workspace, { to: between });
    expect(text()).toBe('second\n');
    undo(workspace);
    expect(text()).toBe('second\n');
    undo(workspace, { force: true });
    expect(text()).toBe('first\n');
    undo(workspace, { run: first, force: true });
    expect(text()).toBe('one\ntwo\nthree\n');
    expect(() => undo(workspace, { run: 'sess_none' })).toThrow('has no snapshot');
    expect(() => undo(workspace, { to: 'snap_none' })).toThrow('no snapshot `snap_none`');
  });

  test('a name that was given away is taken back, and one file becomes two again', () => {
    const { place, workspace } = begin();
    const before = observe(place.work);
    runIn(workspace, () => {
      rmSync(place.at('case'));
      linkSync(place.at('Case'), place.at('case'));
      rmSync(place.at('src/same-2'));
      symlinkSync('../same-1', place.at('src/same-2'));
    });
    undo(workspace);
    expect(observe(place.work)).toEqual(before);
  });
});
