import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

export const LARGEST_CONFIG = 262_144;
const LARGEST_POINTER = 4_096;

/** Where git keeps what belongs to a folder. */
export interface GitPlaces {
  /** the top of the work tree */
  readonly root: string;
  /** what belongs to this work tree alone: its `HEAD` */
  readonly own: string;
  /** what all work trees share: config and refs */
  readonly common: string;
}

/** The repository that a folder is in; undefined for what is none, or not plainly the folder's own. */
export function gitPlacesOf(folder: string): GitPlaces | undefined {
  let at: string;
  let owner: number;
  try {
    at = realpathSync(folder);
    owner = lstatSync(at).uid;
  } catch {
    return undefined;
  }
  for (;;) {
    const git = join(at, '.git');
    const stats = statsOf(git);
    if (stats === undefined) {
      // SECURITY: git takes a folder with these for a repository itself, before it looks further up.
      if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(at, name)))) return undefined;
      if (dirname(at) === at) return undefined;
      at = dirname(at);
      continue;
    }
    // SECURITY: what somebody else put above the folder is not the folder's; and a link leads anywhere.
    if (stats.uid !== owner) return undefined;
    if (stats.isDirectory()) return { root: at, own: git, common: git };
    return stats.isFile() ? placesBehind(git, at) : undefined;
  }
}

/** Undefined for what is not there, and for what may not be looked at. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * What is behind a `.git` that is a file.
 *
 * SECURITY: only where that place says that this folder is its own: else a file that anyone can write would borrow
 * the remotes of any other repository.
 */
function placesBehind(git: string, folder: string): GitPlaces | undefined {
  const own = pointerIn(git, /^gitdir: (.+)$/, folder);
  if (own === undefined) return undefined;
  const back = pointerIn(join(own, 'gitdir'), /^(.+)$/, own);
  if (back !== git) return undefined;
  const common = pointerIn(join(own, 'commondir'), /^(.+)$/, own);
  return common === undefined ? undefined : { root: folder, own, common };
}

function pointerIn(file: string, pattern: RegExp, from: string): string | undefined {
  const found = pattern.exec(readPlainText(file, LARGEST_POINTER)?.trimEnd() ?? '')?.[1];
  return found === undefined ? undefined : isAbsolute(found) ? found : resolve(from, found);
}

/** The text of a plain file of a bounded size; never waits for a pipe, and follows a link only where it may. */
export function readPlainText(
  path: string,
  most: number,
  links: 'follow' | 'refuse' = 'refuse',
): string | undefined {
  let file: number;
  try {
    const stay = links === 'follow' ? 0 : constants.O_NOFOLLOW;
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | stay);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > most) return undefined;
    const bytes = Buffer.alloc(stats.size);
    const read = readSync(file, bytes, 0, bytes.length, 0);
    return bytes.toString('utf8', 0, read);
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
