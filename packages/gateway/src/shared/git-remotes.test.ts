import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit/needs';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRemotes, remoteRepositories, repositoryOfAddress } from './git-remotes.ts';

const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'remotes-')));

const real = requireEngine('git');
const withGit = test.skipIf(real.missing);

function git(folder: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
    cwd: folder,
    env,
    stdio: 'pipe',
  });
}

const ADDRESSES: readonly (readonly [address: string, repository: string | undefined])[] = [
  ['https://github.com/Acme/App.git', 'github.com/acme/app'],
  ['https://github.com/acme/app/', 'github.com/acme/app'],
  ['https://x-token:secret@github.com/acme/app', 'github.com/acme/app'],
  ['git@github.com:acme/app.git', 'github.com/acme/app'],
  ['github.com:acme/app', 'github.com/acme/app'],
  ['ssh://git@ssh.github.com:443/acme/app.git', 'github.com/acme/app'],
  ['ssh://git@ghe.corp.example:7999/acme/app.git', 'ghe.corp.example/acme/app'],
  ['https://gitlab.com/group/sub/project.git', 'gitlab.com/group/sub/project'],
  ['https://github.com/acme/my.app.git', 'github.com/acme/my.app'],
  ['/srv/git/app.git', undefined],
  ['../app', undefined],
  ['file:///srv/app.git', undefined],
  ['ext::sh -c evil', undefined],
  ['https://github.com/', undefined],
  ['https://github.com/acme', undefined],
  ['https://github.com/acme/../other/app', undefined],
  ['https://github.com/acme/app%2f..%2fother', undefined],
  ['https://github.com/acme/app?x=1', undefined],
  ['https://github.com@evil.example/acme/app', 'evil.example/acme/app'],
  ['C:\\git\\app', undefined],
];

describe('the repository of an address', () => {
  test.each(ADDRESSES)('%s is %s', (address, repository) => {
    expect(repositoryOfAddress(address)).toBe(repository);
  });
});

describe('the remotes of a git config', () => {
  test('are its addresses, for fetching and for pushing', () => {
    const text = `
[core]
\turl = https://github.com/not/this
[Remote "origin"]
\tURL = https://github.com/acme/app.git ; as cloned
\tpushurl = "git@github.com:ana/app.git" # her own
[remote "up#stream"] url = https://github.com/upstream/\\
app
[branch "main"]
\tremote = origin
# [remote "no"]
;\turl = https://github.com/no/no
[remotes]
\turl = https://github.com/neither/this
[url "https://github.com/"]
\tinsteadOf = gh:
`;
    expect(remoteRepositories(text)).toEqual([
      'github.com/acme/app',
      'github.com/ana/app',
      'github.com/upstream/app',
    ]);
  });

  withGit(`are what git itself says (${real.install})`, () => {
    const folder = newFolder();
    git(folder, 'init', '-q');
    const urls = ['https://github.com/a/b.git', 'git@github.com:c/d', 'ssh://git@host.example:22/e/f.git'];
    for (const [index, url] of urls.entries()) git(folder, 'remote', 'add', `r${index}`, url);
    expect(readRemotes(folder)).toEqual(['github.com/a/b', 'github.com/c/d', 'host.example/e/f']);
  });

  test('end, whatever the text is', () => {
    const piece = fc.constantFrom(
      '[remote "',
      '"]',
      '\n',
      'url',
      '=',
      '\\',
      '"',
      '#',
      'https://a.example/b/c',
      ' ',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (config) => {
        for (const name of remoteRepositories(config)) expect(name).toMatch(/^[a-z0-9.-]+(?:\/[\w.-]+)+$/);
      }),
      { numRuns: rounds(1_000) },
    );
  });
});

describe('[GA-15] the repositories of a folder', () => {
  const withRemote = (name: string): string => {
    const folder = newFolder();
    git(folder, 'init', '-q');
    git(folder, 'remote', 'add', 'origin', `https://github.com/${name}.git`);
    return folder;
  };

  withGit(`are those of the repository that it is in (${real.install})`, () => {
    const folder = withRemote('acme/app');
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    expect(readRemotes(join(folder, 'deep/er'))).toEqual(['github.com/acme/app']);
  });

  withGit(`are those of the main one in a worktree (${real.install})`, () => {
    const folder = withRemote('acme/app');
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'x');
    const other = join(newFolder(), 'tree');
    git(folder, 'worktree', 'add', '-q', other);
    expect(readRemotes(other)).toEqual(['github.com/acme/app']);
  });

  withGit(`are none where a file only points at the repository of somebody else (${real.install})`, () => {
    const victim = withRemote('acme/secret');
    const folder = newFolder();
    writeFileSync(join(folder, '.git'), `gitdir: ${join(victim, '.git')}\n`);
    expect(readRemotes(folder)).toEqual([]);
  });

  withGit(`are none behind a link (${real.install})`, () => {
    const victim = withRemote('acme/secret');
    const folder = newFolder();
    symlinkSync(join(victim, '.git'), join(folder, '.git'));
    expect(readRemotes(folder)).toEqual([]);
    const other = newFolder();
    mkdirSync(join(other, '.git'));
    symlinkSync(join(victim, '.git/config'), join(other, '.git/config'));
    expect(readRemotes(other)).toEqual([]);
  });

  test('are none where the config is a pipe, and nobody waits for it', () => {
    const folder = newFolder();
    mkdirSync(join(folder, '.git'));
    execFileSync('/usr/bin/mkfifo', [join(folder, '.git/config')]);
    expect(readRemotes(folder)).toEqual([]);
  });

  test('are none for what is no folder', () => {
    expect(readRemotes('/nowhere/at/all')).toEqual([]);
    expect(readRemotes('')).toEqual([]);
  });
});
