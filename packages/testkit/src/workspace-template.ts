import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const GIT_ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...{ GIT_AUTHOR_NAME: 'ana', GIT_AUTHOR_EMAIL: 'ana@example.com' },
  ...{ GIT_COMMITTER_NAME: 'ana', GIT_COMMITTER_EMAIL: 'ana@example.com' },
};

/** Real git; what it printed, also when it failed: a sequence of chance need not make sense to it. */
export function git(cwd: string, ...args: readonly string[]): string {
  const { stdout } = spawnSync('git', ['-c', 'gc.auto=0', ...args], { cwd, env: GIT_ENV, encoding: 'utf8' });
  return stdout;
}

export const NO_UTF8_NAME = Buffer.from([0xff, 0x2d, 0xe9]);

/** A workspace with one of everything. */
export function makeTemplate(folder: string): void {
  mkdirSync(folder);
  const at = (...parts: readonly string[]): string => join(folder, ...parts);
  const write = (path: string, text: string | Buffer): void => writeFileSync(at(path), text);
  git(folder, 'init', '-q', '-b', 'main');
  for (const path of ['src', 'src/deep', 'empty', 'out', 'node_modules', 'node_modules/x'])
    mkdirSync(at(path));
  write('.gitignore', 'out/\n*.log\nnode_modules/\n');
  write('README.md', 'one\ntwo\nthree\n');
  write('src/a.txt', 'a\n'.repeat(100));
  write('src/deep/b.txt', 'b\n');
  write('run.sh', '#!/bin/sh\necho hello\n');
  chmodSync(at('run.sh'), 0o755);
  symlinkSync('README.md', at('link'));
  symlinkSync('/nowhere/at all', at('dangling'));
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
  write('src/a.txt', 'a\n'.repeat(90));
  git(folder, 'commit', '-qam', 'second');
  git(folder, 'branch', 'other');
  git(folder, 'tag', 'v1');
  write('README.md', 'stashed\n');
  git(folder, 'stash', '-q');
  write('src/a.txt', 'a\n'.repeat(80));
  git(folder, 'add', 'src/a.txt');
  write('untracked.txt', 'mine\n');
  write('debug.log', 'ignored, and small\n');
  write('out/built.js', 'built\n');
  write('node_modules/x/index.js', 'rebuilt\n');
  write('same-1', 'one file\n');
  linkSync(at('same-1'), at('src/same-2'));
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), NO_UTF8_NAME]), 'not UTF-8\n');
  write('two\nlines', 'a name with a newline\n');
  write('Case', '1');
  write('case', '2');
  write('closed', 'nobody writes here\n');
  chmodSync(at('closed'), 0o444);
  spawnSync('/usr/bin/mkfifo', [at('pipe')]);
  mkdirSync(at('nested'));
  git(at('nested'), 'init', '-q', '-b', 'main');
  write('nested/file', 'of another repository\n');
  git(at('nested'), 'add', '-A');
  git(at('nested'), 'commit', '-qm', 'nested');
}

/**
 * Everything in a folder, seen by other means than the code under test: a line for each path, with kind, mode, bytes, and
 * which names are one file.
 */
export function observe(folder: string, skip: readonly string[] = []): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  const inodes = new Map<bigint, string>();
  const visit = (path: Buffer, name: string): void => {
    if (skip.includes(name)) return;
    const stats = lstatSync(path, { bigint: true });
    const mode = (Number(stats.mode) & 0o7777).toString(8);
    if (stats.isSymbolicLink()) seen.set(name, `link ${readlinkSync(path, 'latin1')}`);
    else if (stats.isDirectory()) {
      seen.set(name, `folder ${mode}`);
      for (const one of readdirSync(path, { encoding: 'buffer' }).sort(Buffer.compare))
        visit(Buffer.concat([path, Buffer.from('/'), one]), `${name}/${one.toString('latin1')}`);
    } else if (stats.isFile()) {
      const first = inodes.get(stats.ino) ?? name;
      inodes.set(stats.ino, first);
      seen.set(name, `file ${mode} ${first} ${readFileSync(path, 'latin1')}`);
    } else seen.set(name, `other ${mode} ${stats.isFIFO() ? 'fifo' : ''}`);
  };
  visit(Buffer.from(folder), '');
  return seen;
}
