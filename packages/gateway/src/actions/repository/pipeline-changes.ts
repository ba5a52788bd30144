import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GitPlaces, readPlainText } from '../../shared/git-folder.ts';
import { isCiFile, treeEntries } from '../http/git/pipelines.ts';
import { commitOf, isPacked, isRemoteTip, looseObject } from './git-objects.ts';

const LARGEST_FILE = 1_048_576;
const MOST_FILES = 300;
const FOLDER = 0o40000;

/**
 * Whether a push of a branch, or of `HEAD`, may change what pipelines run: as far as can be seen without git, from what is
 * committed and from the files of the work tree, which a commit just before the push takes along.
 *
 * What a clone or a fetch brought lies in packs; what is made here does not, until git tidies up. SECURITY: what cannot be
 * told is a change [GA-15].
 */
export function mayChangePipelines({ root, own, common }: GitPlaces, source: string): boolean {
  // Objects of another repository: nothing can be said about where they came from.
  if (existsSync(join(common, 'objects/info/alternates'))) return true;
  return changedInTree(root, common) || changedInCommit(own, common, source);
}

function changedInTree(root: string, common: string): boolean {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => isCiFile(entry.isDirectory() ? `${entry.name}/` : entry.name))
      .some((entry) => hasNew(join(root, entry.name), common, { left: MOST_FILES }));
  } catch {
    return true;
  }
}

/** Whether a file, or one in a folder, has content that no pack has. */
function hasNew(path: string, common: string, budget: { left: number }): boolean {
  budget.left -= 1;
  const stats = lstatSync(path);
  if (budget.left < 0 || (!stats.isFile() && !stats.isDirectory()) || stats.size > LARGEST_FILE) return true;
  if (stats.isDirectory()) return readdirSync(path).some((name) => hasNew(join(path, name), common, budget));
  const bytes = readFileSync(path);
  const id = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  return !isPacked(common, id);
}

function changedInCommit(own: string, common: string, source: string): boolean {
  const head = /^ref: (refs\/heads\/\S+)$/.exec(
    readPlainText(join(own, 'HEAD'), 4_096)?.trimEnd() ?? '',
  )?.[1];
  // A branch that the same line makes begins where `HEAD` is.
  const commit =
    (source === 'HEAD'
      ? undefined
      : commitOf(common, `refs/heads/${source.replace(/^refs\/heads\//, '')}`)) ??
    (head === undefined ? undefined : commitOf(common, head));
  if (commit === undefined) return true;
  if (isRemoteTip(common, commit)) return false;
  const tree = /^tree ([0-9a-f]{40})\n/.exec(
    looseObject(common, commit, 'commit')?.toString('utf8') ?? '',
  )?.[1];
  if (tree === undefined) return true;
  if (isPacked(common, tree)) return false;
  const bytes = looseObject(common, tree, 'tree');
  if (bytes === undefined) return true;
  return treeEntries(bytes, 20).some(
    ({ name, mode, id }) => isCiFile(mode === FOLDER ? `${name}/` : name) && !isPacked(common, id),
  );
}
