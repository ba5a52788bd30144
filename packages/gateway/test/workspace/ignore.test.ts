import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { requireEngine } from '@sallyport/testkit/needs';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FolderRules } from '../../src/workspace/ignore/folder-rules.ts';
import { follows, readGitIndex } from '../../src/workspace/ignore/git-index.ts';
import { matchesPattern, parsePatterns } from '../../src/workspace/ignore/pattern.ts';
import { HeldFolder } from '../../src/workspace/tree/held-folder.ts';
import { fixture, type WorkspaceFixture } from './workspace-fixture.ts';

const needs = requireEngine('git');

const FILES = [
  'a',
  'b.log',
  'sub/a',
  'sub/b.log',
  'sub/deep/a',
  'sub/deep/c d',
  'x[1]',
  'sub/*',
  'ab',
  'sub/!a',
  '#a',
];
const piece = fc.constantFrom(
  'a',
  'b',
  '*',
  '**',
  '/',
  '?',
  '[ab]',
  '[!a]',
  '\\',
  '!',
  '#',
  ' ',
  '.log',
  'sub',
  'deep',
  'x',
  '[[:alpha:]]',
);
const line = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''))
  // What `a**/` means to git before 2.40 depends on where in memory the pattern lies.
  .filter((text) => !/[^/*]\*\*+(?:\/|$)/.test(text));

function folder(): WorkspaceFixture {
  const place = fixture();
  place.git('init', '-q');
  for (const path of FILES) {
    mkdirSync(dirname(place.at(path)), { recursive: true });
    writeFileSync(place.at(path), '');
  }
  return place;
}

/** What the walk would be told of a file. */
function ignored(place: WorkspaceFixture, path: string): boolean {
  const names = path.split('/');
  let at = HeldFolder.open(place.work);
  let rules = FolderRules.of(at, 'folder');
  for (const name of names.slice(0, -1)) {
    at = at.enter(name);
    rules = rules.enter(at, name, 'none');
  }
  return rules.ignores(names.at(-1) ?? '', false);
}

describe.skipIf(needs.missing)(`what git ignores (${needs.install})`, () => {
  test('is what git says, for patterns of chance in two places', () => {
    using place = folder();
    const property = fc.property(
      fc.array(line, { maxLength: 3 }),
      fc.array(line, { maxLength: 2 }),
      (top, below) => {
        writeFileSync(place.at('.gitignore'), `${top.join('\n')}\n`);
        writeFileSync(place.at('sub/.gitignore'), `${below.join('\n')}\r\n`);
        const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
          ...{ cwd: place.work, input: FILES.join('\0'), encoding: 'utf8' },
          env: { PATH: process.env.PATH ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
        });
        expect(FILES.filter((path) => ignored(place, path))).toEqual(stdout.split('\0').filter(Boolean));
      },
    );
    fc.assert(property, { numRuns: rounds(1_000) });
  });

  test.each([2, 3, 4])('an index of version %i is read as git lists it', (version) => {
    using place = folder();
    place.git('add', '-A');
    place.git('update-index', '--index-version', String(version));
    if (version > 2) place.git('update-index', '--skip-worktree', 'a');
    const index = read(place);
    expect(index?.paths).toEqual(place.git('ls-files', '-z').split('\0').filter(Boolean));
    expect(index && [follows(index, 'sub/deep'), follows(index, 'su'), follows(index, 'sub/a')]).toEqual([
      true,
      false,
      true,
    ]);
    // What git writes at a look changes nothing; what somebody adds does.
    writeFileSync(place.at('a'), '');
    place.git('status');
    expect(read(place)?.digest).toBe(index?.digest);
    writeFileSync(place.at('b.log'), 'new');
    place.git('add', 'b.log');
    expect(read(place)?.digest).not.toBe(index?.digest);
  });

  test('an index in two files, with the other digest, or cut off', () => {
    using place = folder();
    place.git('add', '-A');
    const whole = HeldFolder.open(place.at('.git')).readSmall('index', 1_000_000) ?? Buffer.alloc(0);
    for (const cut of [0, 3, 11, 40, whole.length - 1])
      expect(readGitIndex(whole.subarray(0, cut))).toBeUndefined();
    place.git('update-index', '--split-index');
    expect(read(place)).toBeUndefined();
    using other = fixture();
    other.git('init', '-q', '--object-format=sha256');
    writeFileSync(other.at('file'), '');
    other.git('add', '-A');
    expect(read(other)?.paths).toEqual(['file']);
  });
});

test('a pattern of many stars takes no time', () => {
  const patterns = parsePatterns(`${'*a'.repeat(500)}*b\n${'**/a/'.repeat(500)}b\n`);
  const names = Array.from({ length: 500 }, () => 'a'.repeat(200));
  expect(patterns.some((pattern) => matchesPattern(pattern, names, false))).toBe(false);
});

test('bytes of chance are no index', () => {
  const property = fc.property(
    fc.uint8Array({ maxLength: 400 }),
    fc.integer({ min: 2, max: 4 }),
    (bytes, version) => {
      const head = Buffer.from([0x44, 0x49, 0x52, 0x43, 0, 0, 0, version, 0, 0, 0, 2]);
      expect(() => readGitIndex(Buffer.concat([head, bytes]))).not.toThrow();
    },
  );
  fc.assert(property, { numRuns: rounds(2_000) });
});

function read(place: WorkspaceFixture) {
  const bytes = HeldFolder.open(place.at('.git')).readSmall('index', 1_000_000);
  return bytes && readGitIndex(bytes);
}
