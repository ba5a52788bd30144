import { type FileEntry, parentOf, type Tree } from '../tree/entry.ts';
import type { Bytes } from '../tree/held-folder.ts';
import type { ReadContent } from '../undo/git-state.ts';

/** Longer than any path. */
const MOST_BYTES = 4_096;

/** The `.git` files of work trees and submodules whose repository lies outside of the workspace. */
export function gitElsewhere(tree: Tree, read: ReadContent): readonly Bytes[] {
  const found: Bytes[] = [];
  for (const [path, entry] of tree) {
    if (entry.kind !== 'file' || (path !== '.git' && !path.endsWith('/.git'))) continue;
    if (placeIn(entry, read) !== undefined && !leadsInside(parentOf(path), entry, read)) found.push(path);
  }
  return found;
}

/** Whether the `.git` file of a folder names a place in the workspace. */
export function leadsInside(folder: Bytes, file: FileEntry, read: ReadContent): boolean {
  const place = placeIn(file, read);
  if (place === undefined || place.startsWith('/')) return false;
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of place.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return false;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return true;
}

function placeIn({ size, hash }: FileEntry, read: ReadContent): Bytes | undefined {
  if (size > MOST_BYTES) return undefined;
  return /^gitdir: (.*?)\s*$/.exec(read(hash).toString('latin1'))?.[1];
}
