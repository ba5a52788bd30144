import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit/needs';
import { beforeEach, describe, expect, test } from 'vitest';
import { readRepository } from './git-view.ts';

const real = requireEngine('git');

function git(folder: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync(
    'git',
    ['-c', 'user.name=a', '-c', 'user.email=a@b.example', '-c', 'protocol.file.allow=always', ...args],
    {
      cwd: folder,
      env,
      stdio: 'pipe',
    },
  );
}

describe.skipIf(real.missing)(`[GA-15] a push that may change a pipeline (${real.install})`, () => {
  let folder: string;
  const put = (file: string, text: string): void => {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const commit = (): void => {
    git(folder, 'add', '-A');
    git(folder, 'commit', '-q', '-m', 'x');
  };
  const may = (source = 'HEAD'): boolean => {
    const view = readRepository(folder, '/nowhere');
    if (view?.kind !== 'known') throw new Error('not read');
    return view.mayChangePipelines(source);
  };

  beforeEach(() => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'pipe-')));
    folder = join(top, 'origin');
    mkdirSync(folder);
    git(folder, 'init', '-q', '-b', 'main');
    put('.github/workflows/ci.yml', 'on: push\njobs: {}\n');
    put('src/a.ts', 'a\n');
    put('.gitlab-ci.yml', 'test: {}\n');
    commit();
    git(top, 'clone', '-q', '--no-local', folder, 'work');
    folder = join(top, 'work');
    git(folder, 'checkout', '-q', '-b', 'agent/x');
  });

  test('is none with other files, committed or about to be', () => {
    expect(may()).toBe(false);
    put('src/a.ts', 'b\n');
    expect(may()).toBe(false);
    commit();
    expect(may()).toBe(false);
    expect(may('agent/x')).toBe(false);
    expect(may('not-made-yet')).toBe(false);
  });

  test.each([
    ['a workflow', '.github/workflows/ci.yml'],
    ['a new one', '.github/workflows/evil.yml'],
    ['the file of another host', '.gitlab-ci.yml'],
    ['a new name', 'Jenkinsfile'],
    ['in capitals', '.GitHub/workflows/x.yml'],
  ])('is one with %s, committed or about to be', (_, file) => {
    put(file, 'evil\n');
    expect(may()).toBe(true);
    commit();
    expect(may()).toBe(true);
  });

  test('is one that was committed, also when the work tree shows another branch', () => {
    put('.github/workflows/ci.yml', 'evil\n');
    commit();
    git(folder, 'checkout', '-q', 'main');
    expect(may()).toBe(false);
    expect(may('agent/x')).toBe(true);
  });

  test('is one when a file went, or a pack hides what was made here', () => {
    rmSync(join(folder, '.gitlab-ci.yml'));
    rmSync(join(folder, '.github/workflows/ci.yml'));
    commit();
    put('.github/workflows/ci.yml', 'evil\n');
    commit();
    git(folder, 'gc', '-q');
    expect(may()).toBe(true);
  });

  test('is one where objects of another repository count', () => {
    put('.git/objects/info/alternates', '/elsewhere\n');
    expect(may()).toBe(true);
  });
});
