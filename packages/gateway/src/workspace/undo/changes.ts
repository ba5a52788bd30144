import { type Entry, isSame, type Tree } from '../tree/entry.ts';
import type { Bytes } from '../tree/held-folder.ts';
import { type GitState, gitFolders, type ReadContent, readGitState } from './git-state.ts';
import { diffLines, hunksOf, linesOf } from './line-diff.ts';
import { Units } from './units.ts';

const MOST_FILE_BYTES = 1024 * 1024;
/** contents of all files together that lines are counted or shown of */
const MOST_BYTES = 16 * 1024 * 1024;

/** One path between two states. */
export interface Change {
  readonly path: Bytes;
  readonly from: Entry | undefined;
  readonly to: Entry | undefined;
}

/** What happened to one path: `rights`: mode or owner; `kind`: a file became a folder, a link, … */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'rights' | 'kind';

export function kindOf({ from, to }: Change): ChangeKind {
  if (from === undefined) return 'added';
  if (to === undefined) return 'removed';
  if (from.kind !== to.kind) return 'kind';
  const hasSameContent = from.kind === 'file' && to.kind === 'file' && from.hash === to.hash;
  return from.kind === 'folder' || from.kind === 'fifo' || hasSameContent ? 'rights' : 'changed';
}

/** What a repository became. */
export interface GitChange {
  /** folder of git's own */
  readonly folder: Bytes;
  readonly from: GitState | undefined;
  readonly to: GitState | undefined;
  /** as git's own log of `HEAD` has it */
  readonly commits: number;
}

/** What is different between two states of a workspace. */
export interface Changes {
  /** files, links and folders outside of git's own folders */
  readonly files: readonly Change[];
  readonly git: readonly GitChange[];
}

export function changesBetween(from: Tree, to: Tree, read: ReadContent): Changes {
  const folders = gitFolders(from, to);
  const units = new Units(folders);
  const files: Change[] = [];
  const touched = new Set<Bytes>();
  for (const path of new Set([...from.keys(), ...to.keys()])) {
    const [before, after] = [from.get(path), to.get(path)];
    if (isSame(before, after)) continue;
    if (units.isGit(path)) touched.add(units.of(path));
    else if (!isFolderOfOthers(before, after)) files.push({ path, from: before, to: after });
  }
  const git = [...touched].map((folder) => gitChange(folder, from, to, read));
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), git };
}

/** A folder comes and goes with what is in it. */
function isFolderOfOthers(before: Entry | undefined, after: Entry | undefined): boolean {
  return (before ?? after)?.kind === 'folder' && (before === undefined || after === undefined);
}

export function gitChange(folder: Bytes, from: Tree, to: Tree, read: ReadContent): GitChange {
  const log = (tree: Tree): readonly string[] => {
    const entry = tree.get(folder === '' ? 'logs/HEAD' : `${folder}/logs/HEAD`);
    const isSmall = entry?.kind === 'file' && entry.size <= MOST_BYTES;
    return isSmall ? read(entry.hash).toString('latin1').split('\n') : [];
  };
  const known = new Set(log(from));
  const commits = log(to).filter(
    (line) => !known.has(line) && /\t(?:commit|cherry-pick|revert|merge)\b/.test(line),
  );
  return {
    ...{ folder, from: readGitState(from, folder, read), to: readGitState(to, folder, read) },
    commits: commits.length,
  };
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
  /** files that are no text, or too large to be compared */
  readonly uncounted: number;
}

export function countLines(files: readonly Change[], read: ReadContent): LineCounts {
  let [added, removed, uncounted, left] = [0, 0, 0, MOST_BYTES];
  for (const change of files) {
    if (!isContent(change)) continue;
    const texts = textsOf(change, read, left);
    if (texts === undefined) {
      uncounted += 1;
      continue;
    }
    left -= texts.bytes;
    for (const [kind] of diffLines(texts.from, texts.to)) {
      if (kind === '+') added += 1;
      else if (kind === '-') removed += 1;
    }
  }
  return { added, removed, uncounted };
}

/** Lines of one file that go and come; undefined for what is no text, or more than `left` bytes. */
export function diffOf(
  change: Change,
  read: ReadContent,
  left: number = MOST_BYTES,
): { readonly lines: readonly string[]; readonly bytes: number } | undefined {
  const texts = textsOf(change, read, left);
  return texts && { lines: [...hunksOf(diffLines(texts.from, texts.to))], bytes: texts.bytes };
}

function isContent({ from, to }: Change): boolean {
  const [a, b] = [from?.kind === 'file' ? from.hash : undefined, to?.kind === 'file' ? to.hash : undefined];
  return a !== b;
}

function textsOf({ from, to }: Change, read: ReadContent, left: number) {
  const size = sizeOf(from) + sizeOf(to);
  if (sizeOf(from) > MOST_FILE_BYTES || sizeOf(to) > MOST_FILE_BYTES || size > left) return undefined;
  const lines = (entry: Entry | undefined) => (entry?.kind === 'file' ? linesOf(read(entry.hash)) : []);
  const [a, b] = [lines(from), lines(to)];
  return a === undefined || b === undefined ? undefined : { from: a, to: b, bytes: size };
}

function sizeOf(entry: Entry | undefined): number {
  return entry?.kind === 'file' ? entry.size : 0;
}
