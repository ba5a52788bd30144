import { readGitIndex } from '../ignore/git-index.ts';
import { ancestorsOf, type Entry, isWithin, keyOf, nameOf, parentOf, type Tree } from '../tree/entry.ts';
import type { Bytes } from '../tree/held-folder.ts';

/** Bytes of a content by its digest. */
export type ReadContent = (hash: string) => Buffer;

/** What a repository says about itself, as far as somebody would miss it. */
export interface GitState {
  /** `refs/heads/main`, or an id */
  readonly head: string | undefined;
  /** names and ids, packed or not */
  readonly refs: ReadonlyMap<string, string>;
  /** how many are on the stash */
  readonly stashed: number;
  /** the same for two states that mean the same: whatever git may write by itself at a look is not in it */
  readonly meaning: ReadonlyMap<Bytes, string>;
}

const MOST_BYTES = 64 * 1024 * 1024;
/** Git writes these by itself, or they are worth nothing without what refers to them. */
const BY_ITSELF =
  /(?:^|\/)(?:objects\/|logs\/(?!refs\/stash$)|(?:ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|gc\.log|gc\.pid|info\/refs)$)/;

/**
 * The folders of git's own in a tree, without those within another one. A repository without a work tree counts where it
 * was from the start: with three names in the right place an agent could make one of the whole workspace.
 */
export function gitFolders(start: Tree, ...later: readonly Tree[]): readonly Bytes[] {
  const found = new Set<Bytes>();
  for (const tree of [start, ...later]) {
    for (const [path, entry] of tree) {
      if (entry.kind === 'folder' && nameOf(path) === '.git') found.add(path);
      else if (tree === start && nameOf(path) === 'HEAD' && isRepository(tree, parentOf(path)))
        found.add(parentOf(path));
    }
  }
  return [...found].filter((path) => ![...ancestorsOf(path)].some((above) => found.has(above))).sort();
}

function isRepository(tree: Tree, path: Bytes): boolean {
  const at = (name: Bytes): Entry | undefined => tree.get(path === '' ? name : `${path}/${name}`);
  return at('objects')?.kind === 'folder' && at('refs')?.kind === 'folder';
}

/** Undefined when there is no such folder. */
export function readGitState(tree: Tree, folder: Bytes, read: ReadContent): GitState | undefined {
  if (tree.get(folder)?.kind !== 'folder') return undefined;
  const from = folder === '' ? 0 : folder.length + 1;
  const text = (path: Bytes): string | undefined => contentOf(tree.get(path), read)?.toString('latin1');
  const refs = new Map<string, string>();
  const meaning = new Map<Bytes, string>();
  const packed = text(folder === '' ? 'packed-refs' : `${folder}/packed-refs`) ?? '';
  for (const line of packed.split('\n')) {
    const [, id, name] = /^([0-9a-f]{40,64}) (\S+)$/.exec(line) ?? [];
    if (id !== undefined && name !== undefined) refs.set(name, id);
  }
  for (const [path, entry] of tree) {
    if (path === folder || !isWithin(path, folder)) continue;
    const name = path.slice(from);
    if (name.startsWith('refs/')) {
      // A folder without a ref in it says nothing.
      if (entry.kind === 'file') refs.set(name, (text(path) ?? '').trim());
      else if (entry.kind !== 'folder') meaning.set(name, keyOf(entry));
    } else if (name !== 'packed-refs' && entry.kind !== 'folder' && !BY_ITSELF.test(name)) {
      const bytes = nameOf(name) === 'index' ? contentOf(entry, read) : undefined;
      meaning.set(name, (bytes && readGitIndex(bytes)?.digest) ?? keyOf(entry));
    }
  }
  for (const [name, id] of refs) meaning.set(name, id);
  const stash = text(folder === '' ? 'logs/refs/stash' : `${folder}/logs/refs/stash`) ?? '';
  const head = text(folder === '' ? 'HEAD' : `${folder}/HEAD`)
    ?.trim()
    .replace(/^ref: /, '');
  return { head, refs, meaning, stashed: stash.split('\n').filter((line) => line !== '').length };
}

export function meansTheSame(a: GitState | undefined, b: GitState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.meaning.size !== b.meaning.size) return false;
  for (const [name, value] of a.meaning) if (b.meaning.get(name) !== value) return false;
  return true;
}

function contentOf(entry: Entry | undefined, read: ReadContent): Buffer | undefined {
  return entry?.kind === 'file' && entry.size <= MOST_BYTES ? read(entry.hash) : undefined;
}
