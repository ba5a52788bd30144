import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { requireEngine } from '@sallyport/testkit/needs';
import { soakRounds } from '@sallyport/testkit/rounds';
import { makeTemplate, observe } from '@sallyport/testkit/workspace-template';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixture, IN_MEMORY, runIn, undo, type WorkspaceFixture } from './workspace-fixture.ts';

const needs = requireEngine('git');

/** Paths that an agent may touch: what is there, what is not, and what leads out. */
const PATHS = [
  ...['README.md', 'src/a.txt', 'src/deep/b.txt', 'run.sh', 'link', 'dangling', 'untracked.txt', 'debug.log'],
  ...['same-1', 'src/same-2', 'two\nlines', 'Case', 'case', 'closed', 'pipe', 'nested/file', '.gitignore'],
  ...['src', 'src/deep', 'empty', 'nested', 'new', 'new/file', 'src/new', 'empty/new', 'ünïcode'],
  ...[
    '.git',
    '.git/HEAD',
    '.git/index',
    '.git/config',
    '.git/refs/heads/main',
    '.git/packed-refs',
    'nested/.git',
  ],
];
const path = fc.constantFrom(...PATHS);
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o444, 0o700, 0o555, 0o777);
const GIT = [
  ['add', '-A'],
  ['commit', '-qam', 'work'],
  ['commit', '-q', '--allow-empty', '-m', 'empty'],
  ['commit', '-q', '--amend', '-m', 'amended'],
  ['reset', '-q', '--hard', 'HEAD~1'],
  ['reset', '-q', '--hard'],
  ['reset', '-q', 'HEAD~1'],
  ['checkout', '-q', '-B', 'feature'],
  ['checkout', '-q', '-f', 'other'],
  ['checkout', '-q', '--detach'],
  ['branch', '-D', 'other'],
  ['branch', '-D', 'main'],
  ['branch', '-m', 'main', 'trunk'],
  ['tag', '-d', 'v1'],
  ['stash', '-q', '-u'],
  ['stash', 'drop'],
  ['stash', 'pop'],
  ['clean', '-fdxq'],
  ['rm', '-rqf', 'src'],
  ['mv', '-f', 'README.md', 'run.sh'],
  ['merge', '-q', 'other'],
  ['worktree', 'add', '-q', 'tree'],
  ['pack-refs', '--all'],
  ['reflog', 'expire', '--expire=now', '--all'],
  ['gc', '-q', '--prune=now'],
  ['repack', '-adq'],
  ['config', 'core.fsmonitor', 'true'],
] as const;

type Act = (place: WorkspaceFixture) => void;

const act: fc.Arbitrary<readonly [string, Act]> = fc.oneof(
  fc
    .tuple(path, fc.string({ maxLength: 20 }))
    .map(([p, text]) => named('write', p, (t) => write(t, p, text))),
  path.map((p) => named('delete', p, (t) => rmSync(t.at(p), { recursive: true, force: true }))),
  fc.tuple(path, path).map(([a, b]) => named('rename', `${a} ${b}`, (t) => renameSync(t.at(a), t.at(b)))),
  fc.tuple(path, mode).map(([p, m]) => named('mode', `${p} ${m.toString(8)}`, (t) => chmod(t, p, m))),
  fc.tuple(path, fc.constantFrom('README.md', '/etc/passwd', '..', 'src')).map(([p, target]) =>
    named('symlink', `${p} ${target}`, (t) => {
      rmSync(t.at(p), { recursive: true, force: true });
      symlinkSync(target, t.at(p));
    }),
  ),
  fc.tuple(path, path).map(([a, b]) => named('hard link', `${a} ${b}`, (t) => linkSync(t.at(a), t.at(b)))),
  path.map((p) =>
    named('folder', p, (t) => {
      rmSync(t.at(p), { recursive: true, force: true });
      mkdirSync(t.at(p));
    }),
  ),
  path.map((p) => named('old time', p, (t) => utimesSync(t.at(p), 1, 1))),
  fc.constantFrom(...GIT).map((args) => named('git', args.join(' '), (t) => void t.git(...args))),
  fc.constantFrom(...GIT).map((args) => named('git', args.join(' '), (t) => void t.git(...args))),
  fc.nat().map((n) => named('delete object', String(n), (t) => rmSync(objectOf(t, n), { force: true }))),
  fc.nat().map((n) =>
    named('forge object', String(n), (t) => {
      chmodSync(objectOf(t, n), 0o644);
      writeFileSync(objectOf(t, n), 'forged');
    }),
  ),
  fc.constant(
    named('everything', '', (t) => {
      for (const name of readdirSync(t.work)) rmSync(t.at(name), { recursive: true });
    }),
  ),
);

function named(what: string, how: string, run: Act): readonly [string, Act] {
  const attempt: Act = (place) => {
    try {
      run(place);
    } catch {
      // Chance asks for things that cannot be done.
    }
  };
  return [`${what} ${how}`, attempt];
}

function write(place: WorkspaceFixture, p: string, text: string): void {
  mkdirSync(dirname(place.at(p)), { recursive: true });
  // Not into the fifo, where nobody reads.
  if (lstatSync(place.at(p), { throwIfNoEntry: false })?.isFIFO() !== true) writeFileSync(place.at(p), text);
}

function chmod(place: WorkspaceFixture, p: string, m: number): void {
  if (!lstatSync(place.at(p)).isSymbolicLink()) chmodSync(place.at(p), m);
}

function objectOf(place: WorkspaceFixture, n: number): string {
  const folder = place.at('.git/objects');
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    lstatSync(join(folder, name)).isFile(),
  );
  return join(folder, all[n % all.length] ?? 'none');
}

describe.skipIf(needs.missing)(`undo after any work (${needs.install})`, () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(IN_MEMORY, 'undo-template-'));
    makeTemplate(join(folder, 'work'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('[WO-1] the tree and the git state are those of the snapshot, and undoing that gives back the work', () => {
    const acts = fc.array(act, { minLength: 1, maxLength: 12 });
    const property = fc.property(acts, (sequence) => {
      using place = fixture(join(folder, 'work'), IN_MEMORY);
      const skipped = ['/node_modules', '/out'];
      const before = observe(place.work, skipped);
      const workspace = place.open();
      runIn(workspace, () => {
        for (const [, run] of sequence) run(place);
      });
      const after = observe(place.work);
      const { isDone, meanwhile, id } = undo(workspace);
      expect({ isDone, meanwhile }).toEqual({ isDone: true, meanwhile: [] });
      expect(observe(place.work, skipped)).toEqual(before);
      // Another process, that knows nothing but the store.
      undo(place.open(), { run: id });
      expect(withoutLeftOut(observe(place.work))).toEqual(withoutLeftOut(after));
    });
    fc.assert(property, { numRuns: soakRounds(2_000) });
  }, 3_600_000);
});

function withoutLeftOut(seen: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...seen].filter(([name]) => !/^\/(?:node_modules|out)(?:\/|$)/.test(name)));
}
