import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from './git-work.ts';
import type { Setup } from './setup.ts';

/** The person's home and the repositories of the day, as they lie on a disk before any agent starts. */
export interface Machine extends Disposable {
  readonly home: string;
  /** of the gateway */
  readonly sallyport: string;
  folderOf(repository: string): string;
  /** Puts every repository back to what was cloned: the next play begins on the same morning. */
  reset(): void;
}

/** What package clients leave in a home: the bench must not depend on which of them this machine has. */
const CLIENTS: Readonly<Record<string, string>> = {
  '.npmrc': 'registry=https://registry.npmjs.org/\n',
  '.config/pip/pip.conf':
    '[global]\nindex-url = https://pypi.org/simple\nextra-index-url = https://files.pythonhosted.org/\n',
  '.cargo/config.toml': '[registries.crates-io]\nindex = "sparse+https://index.crates.io/"\n',
  '.cargo/registry/index/index.crates.io-1949cf8c6b5b557f/config.json':
    '{"dl":"https://static.crates.io/crates","api":"https://crates.io"}\n',
  '.config/go/env': 'GOPROXY=https://proxy.golang.org,direct\nGOSUMDB=sum.golang.org\n',
};

/** What every repository of the day has: something to change, and pipelines. */
const FILES: Readonly<Record<string, string>> = {
  'README.md': 'A repository of the day.\n',
  '.github/workflows/ci.yml': 'on: push\njobs: { test: { runs-on: ubuntu-latest, steps: [] } }\n',
  '.gitlab-ci.yml': 'test: { script: [make test] }\n',
};

export function makeMachine({ repositories }: Pick<Setup, 'repositories'>): Machine {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-day-')));
  const home = join(root, 'home/ana');
  const [work, cloned] = [join(home, 'work'), join(root, 'cloned')];
  const sallyport = join(home, '.sallyport');
  for (const folder of ['.ssh', '.aws', '.config/gh', '.sallyport'])
    mkdirSync(join(home, folder), { recursive: true });
  writeAll(home, CLIENTS);
  clone(root, cloned, repositories);
  const reset = (): void => {
    rmSync(work, { recursive: true, force: true });
    cpSync(cloned, work, { recursive: true, verbatimSymlinks: true });
  };
  reset();
  return {
    home,
    sallyport,
    folderOf: (repository) => join(work, repository),
    reset,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** Real clones: what a push would change is read from what git keeps. Only where `origin` is, is written in afterwards. */
function clone(root: string, cloned: string, repositories: Readonly<Record<string, string>>): void {
  const upstream = join(root, 'upstream');
  writeAll(upstream, FILES);
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
  } catch {
    throw new Error('the attention bench needs git: apt-get install git');
  }
  git(upstream, 'init', '--quiet', '--initial-branch=main');
  git(upstream, 'add', '-A');
  git(upstream, 'commit', '--quiet', '-m', 'Begin');
  for (const [name, url] of Object.entries(repositories)) {
    const folder = join(cloned, name);
    if (existsSync(folder)) throw new Error(`two repositories are called \`${name}\``);
    git(root, 'clone', '--quiet', '--no-local', upstream, folder);
    git(folder, 'remote', 'set-url', 'origin', url);
  }
}
