import { ancestorsOf, isWithin, LEFT_OUT, type Tree } from '../tree/entry.ts';
import type { Bytes } from '../tree/held-folder.ts';
import type { ReadContent } from '../undo/git-state.ts';
import { leadsInside } from './git-elsewhere.ts';

/** What a command is about to throw away, relative to the workspace. */
export interface Destroyed {
  /** deleted or written over; a folder stands for all that is in it */
  readonly paths: readonly Bytes[];
  /** folders in which git throws something away: the whole repository that each belongs to counts */
  readonly repositories: readonly Bytes[];
}

/** The first thing that a snapshot cannot give back. */
export interface Missing {
  readonly path: Bytes;
  readonly why: string;
}

/**
 * Whether a snapshot holds all that would be destroyed; undefined: it does. Folders that are rebuilt count as held, and what
 * is not there cannot be lost.
 */
export function firstMissing(tree: Tree, destroyed: Destroyed, read: ReadContent): Missing | undefined {
  const paths = [...destroyed.paths];
  for (const folder of destroyed.repositories) {
    const found = repositoryOf(tree, folder, read);
    if (typeof found === 'string') paths.push(found);
    else return found;
  }
  for (const [path, entry] of tree) {
    if (entry.kind !== 'left-out' || entry.why === 'rebuilt') continue;
    if (paths.some((one) => isWithin(path, one) || isWithin(one, path)))
      return { path, why: LEFT_OUT[entry.why] };
  }
  return undefined;
}

/** The folder that holds the work tree and the repository of a folder, both of them in the workspace. */
function repositoryOf(tree: Tree, folder: Bytes, read: ReadContent): Bytes | Missing {
  for (const at of [folder, ...ancestorsOf(folder)]) {
    const inside = (name: Bytes): Bytes => (at === '' ? name : `${at}/${name}`);
    const own = tree.get(inside('.git'));
    const isBare = tree.get(inside('HEAD'))?.kind === 'file' && tree.has(inside('objects'));
    if (own?.kind === 'folder' || (own === undefined && isBare)) return at;
    // A submodule: its repository is another one's, somewhere in the workspace.
    if (own?.kind === 'file' && leadsInside(at, own, read)) return '';
    if (own !== undefined) return { path: inside('.git'), why: ELSEWHERE };
  }
  return { path: folder, why: ELSEWHERE };
}

const ELSEWHERE = 'its repository lies outside of the workspace';
