import type { CommandFact, NamedPath, PathFact } from '@sallyport/protocol';
import { isRebuilt, type Workspace } from '../../places/index.ts';
import type { Folders } from '../words/cwd-scope.ts';
import type { Word } from '../words/word.ts';
import { gitDestroys } from './git-destroys.ts';

/** What a command throws away: files that it names, what a repository holds, or nothing. */
type Destroyed = 'files' | 'repository' | undefined;

/** Names that stand for everything in a folder. */
const ALL_IN_FOLDER = /(?:^|\/)[.*?[\]!]+$/;
const RECURSIVE = /^(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)$/;
const CHANGES_ALL = /^(?:-[a-zA-Z]*R[a-zA-Z]*|--recursive)$/;

/** Whether a command destroys, by its program and its words. What nobody knows is asked about anyway. */
function destroyedBy(program: string, args: readonly Word[], writes: readonly PathFact[]): Destroyed {
  const has = (pattern: RegExp): boolean => args.some(({ text }) => pattern.test(text));
  switch (program) {
    case 'rm':
      return has(RECURSIVE) || args.some(isVague) ? 'files' : undefined;
    case 'shred':
    case 'srm':
    case 'wipe':
      return 'files';
    case 'truncate':
      return has(/^(?:-s|--size=?)\+/) || args.some(({ text }) => text.startsWith('+')) ? undefined : 'files';
    case 'dd':
      return writes.length > 0 ? 'files' : undefined;
    case 'chmod':
    case 'chown':
    case 'chgrp':
      return has(CHANGES_ALL) ? 'files' : undefined;
    case 'rsync':
      return has(/^--(?:del|remove-source-files)/) ? 'files' : undefined;
    // `: > file`, and `> file` alone.
    case ':':
    case 'true':
      return writes.length > 0 ? 'files' : undefined;
    case 'cat':
      return writes.length > 0 && has(/^\/dev\/null$/) ? 'files' : undefined;
    case 'git':
      return gitDestroys(args) ? 'repository' : undefined;
    // open: any program
    default:
      return undefined;
  }
}

/** A word that stands for more than one file, or for one that only `find` and `xargs` know. */
function isVague({ text, literal, patterns }: Word): boolean {
  return text.includes('{}') || text === '<args>' || (!literal && patterns && ALL_IN_FOLDER.test(text));
}

interface Command {
  readonly program: string;
  readonly args: readonly Word[];
  readonly writes: readonly PathFact[];
  readonly paths: readonly NamedPath[];
  readonly folders: Folders;
}

type Loss = Pick<CommandFact, 'loses'> | undefined;

/**
 * What a command destroys; undefined: nothing. `loses` is what nothing but a snapshot brings back: folders that are made
 * anew are not in it, nor is what lies in scratch space.
 */
export function destruction({ program, args, writes, paths, folders }: Command, workspace: Workspace): Loss {
  const what = destroyedBy(program, args, writes);
  if (what === undefined) return undefined;
  if (what === 'repository')
    return { loses: { paths: [], repositories: repositories(args, paths, folders) } };
  const named = paths.filter(({ use }) => use === 'write' || use === 'both').map(({ real }) => real ?? '/');
  const lost = [...new Set([...writes.map(({ real }) => real), ...named])];
  const kept = lost.filter((path) => !isRebuilt(path, workspace));
  return kept.length === 0 && lost.length > 0 ? {} : { loses: { paths: kept, repositories: [] } };
}

/** The folder that git runs in, and those that `-C` leads to. */
function repositories(
  args: readonly Word[],
  paths: readonly NamedPath[],
  folders: Folders,
): readonly string[] {
  const given = new Set(args.filter((_, at) => args[at - 1]?.text === '-C').map(({ text }) => text));
  const named = paths.filter((path) => given.has(path.given)).map(({ real }) => real ?? '/');
  return [...new Set([...(folders ?? ['/']), ...named])];
}
