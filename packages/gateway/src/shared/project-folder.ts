import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/** A folder where it leads; undefined for what is none, or may not be looked at. */
export function folderAt(path: string): string | undefined {
  if (!isAbsolute(path) || path.includes('\0')) return undefined;
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The project that a folder belongs to: the top level of the git repository that it is in, else the folder itself;
 * undefined for what is no folder.
 *
 * SECURITY: looks at names and runs nothing: a repository could have put a program where git looks for one. A `.git`
 * that somebody else put above the folder is not the folder's.
 */
export function projectFolder(path: string): string | undefined {
  const folder = folderAt(path);
  if (folder === undefined) return undefined;
  try {
    const owner = lstatSync(folder).uid;
    for (let at = folder; ; at = dirname(at)) {
      const git = lstatSync(join(at, '.git'), { throwIfNoEntry: false });
      if (git !== undefined) return git.uid === owner && (git.isDirectory() || git.isFile()) ? at : folder;
      if (dirname(at) === at) return folder;
    }
  } catch {
    return folder;
  }
}
