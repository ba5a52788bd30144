import { existsSync, lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { gitPlacesOf, LARGEST_CONFIG, readPlainText } from '../../shared/git-folder.ts';
import { repositoryOfAddress } from '../../shared/git-remotes.ts';
import { type GitEntry, gitEntries } from './git-entries.ts';
import { packedRefs } from './git-objects.ts';
import { mayChangePipelines } from './pipeline-changes.ts';

/** What git would go by in a folder: read by us, without running git. */
export type GitView =
  | {
      readonly kind: 'known';
      /** of all its config files, in the order in which git reads them */
      readonly entries: readonly GitEntry[];
      /** the branch that is checked out; undefined where none is */
      readonly branch: string | undefined;
      /** what its remotes name: `github.com/acme/app`; empty where an address may be rewritten */
      readonly repositories: () => readonly string[];
      /** whether a tag has this name, or nobody can tell */
      readonly mayBeTag: (name: string) => boolean;
      /** whether what this branch, or `HEAD`, would bring may change what pipelines run */
      readonly mayChangePipelines: (source: string) => boolean;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Looks at the repository that a folder is in; undefined: there is none. */
export type RepositoryAt = (folder: string) => GitView | undefined;

const LARGEST_HEAD = 4_096;
/** where git was built to look for the settings of the whole machine */
const OF_MACHINE = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig'] as const;

/**
 * SECURITY: reads text and runs nothing. A config that is there and cannot be read whole makes everything unknown: it
 * could send a push anywhere.
 */
export function readRepository(folder: string, home: string): GitView | undefined {
  const places = isAbsolute(folder) ? gitPlacesOf(folder) : undefined;
  if (places === undefined) return undefined;
  const { own, common } = places;
  const entries: GitEntry[] = [];
  const files = [
    ...OF_MACHINE.map((path) => ({ path, links: 'follow' as const })),
    { path: join(home, '.config/git/config'), links: 'follow' as const },
    { path: join(home, '.gitconfig'), links: 'follow' as const },
    { path: join(common, 'config'), links: 'refuse' as const },
    { path: join(own, 'config.worktree'), links: 'refuse' as const },
  ];
  for (const { path, links } of files) {
    if (!isThere(path)) continue;
    const text = readPlainText(path, LARGEST_CONFIG, links);
    const found = text === undefined ? undefined : gitEntries(text);
    if (found === undefined)
      return { kind: 'unknown', reason: `\`${path}\` says where a push goes and cannot be read` };
    entries.push(...found);
  }
  const head = /^ref: refs\/heads\/(\S+)$/.exec(
    readPlainText(join(own, 'HEAD'), LARGEST_HEAD)?.trimEnd() ?? '',
  );
  return {
    kind: 'known',
    entries,
    branch: head?.[1],
    repositories: () => repositoriesIn(entries),
    mayBeTag: (name) => isTag(common, name),
    mayChangePipelines: (source) => mayChangePipelines(places, source),
  };
}

function repositoriesIn(entries: readonly GitEntry[]): readonly string[] {
  if (entries.some(({ section }) => section === 'url' || section === 'include' || section === 'includeif'))
    return [];
  return entries.flatMap(({ section, key, value }) =>
    section === 'remote' && (key === 'url' || key === 'pushurl') ? [repositoryOfAddress(value) ?? ''] : [],
  );
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function isTag(common: string, name: string): boolean {
  // A name that could step out of the folder of tags is no name of a branch either.
  if (/(?:^|\/)\.|\.\.|\0/.test(name) || existsSync(join(common, 'refs/tags', name))) return true;
  const packed = packedRefs(common);
  return packed === undefined || packed.includes(` refs/tags/${name}\n`);
}
