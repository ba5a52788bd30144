import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Setup } from './setup.ts';

/** The person's home and the repositories of the day, as they lie on a disk before any agent starts. */
export interface Machine extends Disposable {
  readonly home: string;
  /** of the gateway */
  readonly sallyport: string;
  folderOf(repository: string): string;
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

export function makeMachine({ repositories }: Pick<Setup, 'repositories'>): Machine {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-day-')));
  const home = join(root, 'home/ana');
  const sallyport = join(home, '.sallyport');
  for (const folder of ['.ssh', '.aws', '.config/gh', '.sallyport'])
    mkdirSync(join(home, folder), { recursive: true });
  for (const [file, text] of Object.entries(CLIENTS)) {
    mkdirSync(join(home, file, '..'), { recursive: true });
    writeFileSync(join(home, file), text);
  }
  for (const [name, url] of Object.entries(repositories)) {
    const git = join(home, 'work', name, '.git');
    mkdirSync(join(git, 'refs/heads'), { recursive: true });
    mkdirSync(join(git, 'objects'), { recursive: true });
    writeFileSync(join(git, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      join(git, 'config'),
      `[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
    );
  }
  return {
    home,
    sallyport,
    folderOf: (repository) => join(home, 'work', repository),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
