import type { Stats } from 'node:fs';
import { SallyportError } from '@sallyport/protocol/error';
import { LOCAL_DISKS } from '../../shared/local-disks.ts';
import { FolderRules, type GitPlace } from '../ignore/folder-rules.ts';
import { rebuiltFolder } from '../ignore/rebuilt-folders.ts';
import type { Source } from '../store/pack-writer.ts';
import type { Entry, FileEntry, LeftOutReason, Tree } from '../tree/entry.ts';
import type { Bytes, HeldFile, HeldFolder } from '../tree/held-folder.ts';

/** Folders within each other that are followed; each is held open meanwhile. */
const DEEPEST = 500;
/** A file that was written so shortly before it was read may be written again without showing another time, in ms */
const SETTLED_MS = 2_000;
const TRIES = 3;
export interface ScanOptions {
  /** largest ignored file that is held, in bytes */
  readonly maxFile: number;
  /** largest file that is held, and bytes that are read at most, in bytes */
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** the snapshot before: what did not change since is not read again */
  readonly before: Tree | undefined;
  /** no agent is at work */
  readonly isQuiet: boolean;
  /** paths that are held whatever their names say */
  readonly whole: ReadonlySet<Bytes>;
  /** ms since epoch */
  readonly now: () => number;
  /** Reads to the end; the digest and number of the bytes. */
  readonly read: (file: Source) => { readonly hash: string; readonly size: number };
}

export interface Scan {
  readonly tree: Tree;
  /** files that changed each time while they were read: what is held of them was never there at one moment */
  readonly unsettled: readonly Bytes[];
}

/**
 * Looks at a whole workspace, and reads what changed. Follows no link and leaves no file system.
 *
 * Throws `Unprocessable` for more files or bytes than it may hold.
 */
export function scanTree(root: HeldFolder, options: ScanOptions): Scan {
  return new TreeScan(root, options).run();
}

class TreeScan {
  readonly #root: HeldFolder;
  readonly #options: ScanOptions;
  readonly #device: number;
  readonly #before: Tree | undefined;
  readonly #tree = new Map<Bytes, Entry>();
  readonly #names = new Map<number | bigint, Bytes[]>();
  readonly #unsettled: Bytes[] = [];
  #bytes = 0;

  constructor(root: HeldFolder, options: ScanOptions) {
    this.#root = root;
    this.#options = options;
    this.#device = root.own.dev;
    // On other disks times are somebody else's, or none.
    this.#before = LOCAL_DISKS.has(root.disk) ? options.before : undefined;
  }

  run(): Scan {
    this.#tree.set('', { kind: 'folder', ...rightsOf(this.#root.own) });
    const names = sortedNames(this.#root, this.#options.maxFiles);
    const rules = FolderRules.of(this.#root, gitPlace(this.#root, names));
    this.#folder({ folder: this.#root, path: '', names, rules, inGit: isBare(names), depth: 0 });
    for (const paths of this.#names.values()) this.#join(paths);
    return { tree: this.#tree, unsettled: this.#unsettled };
  }

  #folder(at: Place): void {
    // In git's own folder objects come last: what refers to one that is not yet read was read before.
    const names =
      at.inGit && at.names.includes('objects') ? [...at.names.filter(isNoObjects), 'objects'] : at.names;
    for (const name of names) {
      const stats = at.folder.look(name);
      if (stats !== undefined) this.#one(at, name, at.path === '' ? name : `${at.path}/${name}`, stats);
    }
  }

  #one(at: Place, name: Bytes, path: Bytes, stats: Stats): void {
    if (this.#tree.size > this.#options.maxFiles) throw tooMany(this.#options.maxFiles);
    const why = this.#add(at, name, path, stats);
    if (why !== undefined) this.#tree.set(path, { kind: 'left-out', why });
  }

  /** Puts it into the tree, or says why not. */
  #add(at: Place, name: Bytes, path: Bytes, stats: Stats): LeftOutReason | undefined {
    if (stats.isSymbolicLink()) {
      const target = ifStill(() => ({ target: at.folder.readLink(name) }));
      if (target === 'closed') return 'unreadable';
      if (target !== 'gone') this.#tree.set(path, { kind: 'link', ...target });
      return undefined;
    }
    if (stats.dev !== this.#device) return 'mounted';
    if (stats.isFile()) return this.#file(at, name, path, stats);
    if (stats.isDirectory()) return this.#enter(at, name, path, stats);
    if (!stats.isFIFO()) return stats.isSocket() ? 'socket' : 'device';
    this.#tree.set(path, { kind: 'fifo', ...rightsOf(stats) });
    return undefined;
  }

  #enter(at: Place, name: Bytes, path: Bytes, stats: Stats): LeftOutReason | undefined {
    if (at.depth >= DEEPEST) return 'deep';
    const isWhole = at.isWhole === true || this.#options.whole.has(path);
    if (!at.inGit && !isWhole && isRebuilt(at.rules, name)) return 'rebuilt';
    const opened = ifStill(() => at.folder.enter(name));
    if (opened === 'gone') return undefined;
    if (opened === 'closed') return 'unreadable';
    using folder = opened;
    if (folder.own.dev !== this.#device) return 'mounted';
    this.#tree.set(path, { kind: 'folder', ...rightsOf(stats) });
    const names = sortedNames(folder, this.#options.maxFiles);
    const inGit = at.inGit || name === '.git' || isBare(names);
    const rules = inGit ? at.rules : at.rules.enter(folder, name, gitPlace(folder, names));
    this.#folder({ folder, path, names, rules, inGit, depth: at.depth + 1, isWhole });
    return undefined;
  }

  #file(at: Place, name: Bytes, path: Bytes, stats: Stats): LeftOutReason | undefined {
    const { maxFile, maxBytes } = this.#options;
    if (stats.size > maxBytes) return 'large';
    const isWhole = at.inGit || at.isWhole === true || this.#options.whole.has(path);
    if (stats.size > maxFile && !isWhole && at.rules.ignores(name, false) && at.rules.follows(name) === false)
      return 'ignored';
    const known = this.#known(path, stats);
    const entry = known ?? ifStill(() => this.#read(at.folder, name, path));
    if (entry === 'closed') return 'unreadable';
    if (entry === 'gone') return undefined;
    this.#tree.set(path, entry);
    if (stats.nlink > 1) this.#remember(at.folder, name, path, stats);
    return undefined;
  }

  #remember(folder: HeldFolder, name: Bytes, path: Bytes, stats: Stats): void {
    // A number beyond what a text of digits keeps exactly may be another file's too.
    const inode = Number.isSafeInteger(stats.ino) ? stats.ino : (folder.inode(name) ?? stats.ino);
    const others = this.#names.get(inode);
    if (others === undefined) this.#names.set(inode, [path]);
    else others.push(path);
  }

  /** What the snapshot before has of the same file, if nobody can have written to it since. */
  #known(path: Bytes, stats: Stats): FileEntry | undefined {
    const before = this.#before?.get(path);
    if (before?.kind !== 'file' || before.size !== stats.size) return undefined;
    const { ino, mtime, ctime, trust } = before.mark;
    const isTrusted = trust === 'quiet' || (trust === 'beside' && !this.#options.isQuiet);
    // SECURITY: `ctime` is the kernel's: an agent can set every other of these, and cannot set that one [WO-1].
    const isSame = ino === stats.ino && mtime === stats.mtimeMs && ctime === stats.ctimeMs;
    if (!isTrusted || !isSame) return undefined;
    return { ...before, ...rightsOf(stats), group: undefined };
  }

  #read(folder: HeldFolder, name: Bytes, path: Bytes): FileEntry | 'gone' {
    using file = folder.openFile(name);
    for (let tries = 1; ; tries += 1) {
      const stats = file.stats;
      // Something else has the name by now; the next look finds it.
      if (!stats.isFile() || stats.dev !== this.#device) return 'gone';
      this.#bytes += stats.size;
      if (this.#bytes > this.#options.maxBytes) throw tooLarge(this.#options.maxBytes);
      const at = this.#options.now();
      // No further than it was: one that grows all the time has no end.
      const { hash, size } = this.#options.read(upTo(file, stats.size));
      const after = file.stats;
      const isSettled =
        after.ctimeMs === stats.ctimeMs && after.mtimeMs === stats.mtimeMs && size === stats.size;
      if (!isSettled && tries < TRIES) continue;
      if (!isSettled) this.#unsettled.push(path);
      const isOld = isSettled && stats.ctimeMs < at - SETTLED_MS;
      const trust = !isOld ? 'none' : this.#options.isQuiet ? 'quiet' : 'beside';
      const mark = { ino: stats.ino, mtime: stats.mtimeMs, ctime: stats.ctimeMs, trust } as const;
      return { kind: 'file', ...rightsOf(stats), size, hash, group: undefined, mark };
    }
  }

  /** Names of one file become a group, called by the first of them. */
  #join(paths: readonly Bytes[]): void {
    if (paths.length < 2) return;
    const group = paths.reduce((first, path) => (path < first ? path : first));
    for (const path of paths) {
      const entry = this.#tree.get(path);
      if (entry?.kind === 'file') this.#tree.set(path, { ...entry, group });
    }
  }
}

interface Place {
  readonly folder: HeldFolder;
  readonly path: Bytes;
  readonly names: readonly Bytes[];
  readonly rules: FolderRules;
  /** below a folder of git's own, where nothing is ignored */
  readonly inGit: boolean;
  readonly depth: number;
  readonly isWhole?: boolean;
}

/** What the call gives; `gone` when the place is not what it was a moment ago, `closed` when this user may not. */
function ifStill<T>(call: () => T): T | 'gone' | 'closed' {
  try {
    return call();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR' || code === 'EINVAL') return 'gone';
    if (code === 'EACCES' || code === 'EPERM' || code === 'ENXIO') return 'closed';
    throw error;
  }
}

function upTo(file: HeldFile, size: number): Source {
  const left = (at: number, room: Uint8Array): number => Math.max(0, Math.min(room.length, size - at));
  return { read: (room, at) => file.read(room.subarray(0, left(at, room)), at) };
}

function isRebuilt(rules: FolderRules, name: Bytes): boolean {
  const kind = rebuiltFolder(name);
  if (kind === 'none' || (kind === 'if-ignored' && !rules.ignores(name, true))) return false;
  const isFollowed = rules.follows(name);
  return kind === 'by-name' ? isFollowed !== true : isFollowed === false;
}

function rightsOf({ mode, uid, gid }: Stats) {
  return { mode: mode & 0o7777, uid, gid };
}

function sortedNames(folder: HeldFolder, most: number): readonly Bytes[] {
  const names: Bytes[] = [];
  for (const name of folder.names()) {
    if (names.length >= most) throw tooMany(most);
    names.push(name);
  }
  return names.sort();
}

function isNoObjects(name: Bytes): boolean {
  return name !== 'objects';
}

/** A repository without a work tree, or git's own folder under another name. */
function isBare(names: readonly Bytes[]): boolean {
  return names.includes('HEAD') && names.includes('objects') && names.includes('refs');
}

function gitPlace(folder: HeldFolder, names: readonly Bytes[]): GitPlace {
  if (!names.includes('.git')) return 'none';
  return folder.look('.git')?.isDirectory() === true ? 'folder' : 'elsewhere';
}

function tooMany(most: number): SallyportError {
  return new SallyportError('Unprocessable', {
    message: `the workspace has more than ${most} files and folders, which is more than a snapshot may hold`,
    hint: 'raise `workspace.snapshot.max_files`, or work in a smaller folder',
  });
}

function tooLarge(most: number): SallyportError {
  return new SallyportError('Unprocessable', {
    message: `more than ${most} bytes of the workspace are new, which is more than a snapshot may hold`,
    hint: 'raise `workspace.snapshot.max_bytes`, or work in a smaller folder',
  });
}
