import { chmodSync, type Dirent, lstatSync, readdirSync, realpathSync, renameSync } from 'node:fs';
import { type GuardedKind, guardedName, isGuardedFolder, isOpenFolder } from '../../shared/guarded-places.ts';

/** What the folders above say about a folder. */
export type Role = 'plain' | 'settings' | 'git-hooks' | 'git-todo' | 'git-objects';

/** A file, or anything else that is no folder, in which what is written runs later. */
export interface Place {
  readonly path: string;
  readonly kind: GuardedKind;
}

export interface Folder {
  readonly path: string;
  readonly role: Role;
}

export interface Looked {
  readonly places: readonly Place[];
  readonly folders: readonly Folder[];
  readonly isGit: boolean;
}

const GIT_CONFIGS = new Set(['config', 'config.worktree']);
const TODO_FOLDERS = new Set(['rebase-merge', 'rebase-apply', 'sequencer']);
const TODOS = new Set(['git-rebase-todo', 'todo']);

/**
 * What in a folder is guarded. A repository is known by its parts and not by its name: git takes any folder with these for
 * one, a bare one that somebody embedded too.
 */
export function lookInto({ path, role }: Folder, entries: readonly Dirent[] = list(path)): Looked {
  const own = path.slice(path.lastIndexOf('/') + 1);
  const names = new Set(entries.map(({ name }) => name));
  const isGit = own === '.git' || (names.has('HEAD') && (names.has('objects') || names.has('commondir')));
  const places: Place[] = [];
  const folders: Folder[] = [];
  for (const entry of entries) {
    const at = `${path}/${entry.name}`;
    if (entry.isDirectory()) folders.push({ path: at, role: roleBelow(entry.name, own, role, isGit) });
    else {
      const kind = kindOf(entry, own, role, isGit);
      if (kind !== undefined) places.push({ path: at, kind });
    }
  }
  return { places, folders, isGit };
}

function roleBelow(name: string, parent: string, role: Role, isGit: boolean): Role {
  if (isGit && name === 'hooks') return 'git-hooks';
  if (isGit && TODO_FOLDERS.has(name)) return 'git-todo';
  if (isGit && name === 'objects') return 'git-objects';
  if (role === 'git-hooks' || role === 'git-objects') return role;
  if (role === 'settings') return isOpenFolder(name, parent) ? 'plain' : 'settings';
  return isGuardedFolder(name) ? 'settings' : 'plain';
}

function kindOf(entry: Dirent, parent: string, role: Role, isGit: boolean): GuardedKind | undefined {
  const { name } = entry;
  if (role === 'git-hooks') return name.endsWith('.sample') && entry.isFile() ? undefined : 'git-hook';
  if (role === 'git-todo' && TODOS.has(name)) return 'git-todo';
  if (isGit && GIT_CONFIGS.has(name)) return 'git-config';
  if (name === '.git' || (isGit && name === 'commondir')) return 'git-link';
  // A link in the place of a folder that is guarded leads to one that is not.
  if (entry.isSymbolicLink() && (isGuardedFolder(name) || (isGit && name === 'hooks'))) return 'settings';
  if (role === 'settings') return 'settings';
  return guardedName(name, parent);
}

/** Nothing, where it is gone. SECURITY: a folder that nobody may list still gives out files by their names. */
export function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return listClosed(folder);
  }
}

function listClosed(folder: string): readonly Dirent[] {
  try {
    const { mode } = lstatSync(folder);
    chmodSync(folder, 0o700);
    try {
      return readdirSync(folder, { withFileTypes: true });
    } finally {
      chmodSync(folder, mode & 0o777);
    }
  } catch {
    return [];
  }
}

/** What Node shows in the place of bytes that are no UTF-8. */
const NO_LETTER = '\ufffd';

export function isUnreadable(entry: Dirent): boolean {
  return entry.isDirectory() && entry.name.includes(NO_LETTER);
}

/**
 * Gives folders whose names are no UTF-8 names that are, and says which: nobody could look into them by the name that is
 * shown. Nothing of the jail may run meanwhile. A jail does not start where such folders were before.
 */
export function renameUnreadable(
  folder: string,
  entries: readonly Dirent[] = list(folder),
): readonly string[] {
  if (!entries.some(isUnreadable)) return [];
  if (realpathSync(folder) !== folder) return [];
  const renamed: string[] = [];
  for (const name of readdirSync(folder, { encoding: 'buffer' })) {
    if (name.equals(Buffer.from(name.toString()))) continue;
    const from = Buffer.concat([Buffer.from(`${folder}/`), name]);
    if (!lstatSync(from).isDirectory()) continue;
    const readable = name.toString('latin1').replace(/[^ -~]/g, (byte) => encodeURIComponent(byte));
    let to = `${folder}/${readable}`;
    while (lstatSync(to, { throwIfNoEntry: false }) !== undefined) to += '~';
    renameSync(from, to);
    renamed.push(to);
  }
  return renamed;
}

/** Names whose coming makes a repository of a folder, or a place of a file. */
export function mayMatter(name: string, parent: string, role: Role): boolean {
  if (role !== 'plain' && role !== 'git-objects') return true;
  if (['HEAD', 'objects', 'commondir', 'config', 'config.worktree', 'hooks', '.git'].includes(name))
    return true;
  return isGuardedFolder(name) || guardedName(name, parent) !== undefined;
}

/** Folders whose content is made from other files: thousands, which are looked at when the run is over. */
export function isRebuilt(path: string): boolean {
  return /\/(?:node_modules|bower_components|\.venv|venv|__pycache__|target|\.gradle|\.next|\.turbo|\.cache)(?:\/|$)/.test(
    path,
  );
}
