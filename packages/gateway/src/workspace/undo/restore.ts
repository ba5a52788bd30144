import type { Stats } from 'node:fs';
import { assertNever } from '../../shared/assert-never.ts';
import type { Objects } from '../store/objects.ts';
import { type Entry, type FileEntry, isSame, type Tree } from '../tree/entry.ts';
import type { Bytes, HeldFolder } from '../tree/held-folder.ts';
import { FolderWalk } from './folder-walk.ts';
import type { Step } from './plan.ts';

/** Files that are being made have names that begin so, and then the id of the undo. */
export const TEMPORARY = '.sallyport-';

export interface RestoreParts {
  readonly root: HeldFolder;
  readonly objects: Objects;
  /** `undo_…`; names what is being made */
  readonly id: string;
  readonly steps: readonly Step[];
  /** of files with several names: one that stands and stays, by the name of the group */
  readonly anchors: ReadonlyMap<Bytes, Bytes>;
  /** Whether a path is in a folder of git's own, where times count. */
  readonly isGit: (path: Bytes) => boolean;
  /** what stands there at this moment, where an undo was cut off: some of the steps are done already */
  readonly found?: Tree;
}

/**
 * Carries the steps out, each path as a whole: a reader sees the old file or the new one. The paths that somebody changed
 * after they were looked at; they stay.
 *
 * Throws when the disk or the store does not let it; then some of the steps are done and others not.
 */
export function restore(parts: RestoreParts): readonly Bytes[] {
  using walk = new FolderWalk(parts.root);
  const meanwhile = new Restorer(parts, walk).run();
  parts.root.flushDisk();
  return meanwhile;
}

class Restorer {
  readonly #parts: RestoreParts;
  readonly #walk: FolderWalk;
  readonly #anchors: Map<Bytes, Bytes>;
  readonly #meanwhile = new Set<Bytes>();
  #made = 0;

  constructor(parts: RestoreParts, walk: FolderWalk) {
    this.#parts = parts;
    this.#walk = walk;
    this.#anchors = new Map(parts.anchors);
  }

  run(): readonly Bytes[] {
    const { steps } = this.#parts;
    const open = steps.filter((step) => !this.#isDone(step));
    for (const step of open.toReversed()) if (this.#mustGoFirst(step)) this.#remove(step);
    for (const step of open) if (!this.#meanwhile.has(step.path)) this.#make(step);
    const settled = steps.filter(({ path }) => !this.#meanwhile.has(path));
    this.#walk.settle(new Map(settled.map(({ path, was }) => [path, was])));
    return [...this.#meanwhile].sort();
  }

  /** What stands at the path, as far as was seen. */
  #is({ path, now }: Step): Entry | undefined {
    return this.#parts.found === undefined ? now : this.#parts.found.get(path);
  }

  #isDone(step: Step): boolean {
    const { path, now, was } = step;
    if (this.#parts.found === undefined) return false;
    const is = this.#is(step);
    if (isSame(is, was)) {
      if (is?.kind === 'file' && is.group !== undefined) this.#anchors.set(is.group, path);
      return true;
    }
    // Neither what was nor what is to be: somebody worked on it after the undo was cut off.
    const isOnTheWay =
      is === undefined || is.kind === 'folder' || isSameButNames(is, now) || isSameButNames(is, was);
    if (!isOnTheWay) this.#meanwhile.add(path);
    return !isOnTheWay;
  }

  #mustGoFirst(step: Step): boolean {
    const is = this.#is(step);
    if (is === undefined || step.path === '') return false;
    return step.was === undefined || (is.kind === 'folder') !== (step.was.kind === 'folder');
  }

  #remove(step: Step): void {
    const { path } = step;
    try {
      this.#walk.in(path, (folder, name) => {
        const stats = folder.look(name);
        if (stats === undefined) return;
        if (!isUntouched(folder, name, stats, this.#is(step))) this.#meanwhile.add(path);
        else if (stats.isDirectory()) folder.removeFolder(name);
        else folder.removeFile(name);
      });
    } catch (error) {
      // The folder above it went before, or somebody put something in it, or made another thing of it.
      if (!isOneOf(error, 'ENOENT'))
        this.#meanwhileOr(error, path, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'ELOOP');
    }
  }

  #make(step: Step): void {
    const { path, was } = step;
    if (was === undefined || path === '') return;
    try {
      this.#walk.in(path, (folder, name) => {
        const stats = folder.look(name);
        if (was.kind === 'folder' && stats?.isDirectory() === true) return;
        if (stats !== undefined && !isUntouched(folder, name, stats, this.#is(step)))
          this.#meanwhile.add(path);
        else this.#put(folder, name, path, was);
      });
    } catch (error) {
      this.#meanwhileOr(error, path, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR');
    }
  }

  #meanwhileOr(error: unknown, path: Bytes, ...codes: readonly string[]): void {
    if (!isOneOf(error, ...codes)) throw error;
    this.#meanwhile.add(path);
  }

  #put(folder: HeldFolder, name: Bytes, path: Bytes, was: Entry): void {
    if (was.kind === 'folder') {
      folder.makeFolder(name);
      return;
    }
    this.#made += 1;
    const temporary = `${TEMPORARY}${this.#parts.id}-${this.#made}`;
    switch (was.kind) {
      case 'file':
        this.#makeFile(folder, temporary, path, was);
        break;
      case 'link':
        folder.makeLink(temporary, was.target);
        break;
      case 'fifo':
        folder.makeFifo(temporary);
        folder.setRights(temporary, was);
        break;
      case 'left-out':
        // INVARIANT: no plan puts back what a snapshot does not hold.
        return;
      default:
        assertNever(was);
    }
    folder.rename(temporary, name);
    // Two names of one file: the kernel then leaves both.
    if (folder.look(temporary) !== undefined) folder.removeFile(temporary);
    if (was.kind === 'file' && was.group !== undefined) this.#anchors.set(was.group, path);
  }

  #makeFile(folder: HeldFolder, name: Bytes, path: Bytes, was: FileEntry): void {
    const anchor = was.group === undefined ? undefined : this.#anchors.get(was.group);
    if (anchor !== undefined && anchor !== path) {
      using walk = new FolderWalk(this.#parts.root);
      walk.in(anchor, (from, existing) => folder.linkFrom(from, existing, name));
      return;
    }
    using file = folder.makeFile(name);
    this.#parts.objects.copyTo(was.hash, file);
    file.setRights(was);
    // Git tells by the time of its index whether a file may have changed after it. For every other file the time of its
    // return is right: what was built from the file in between is older, and is built again.
    if (this.#parts.isGit(path)) file.setTime(Math.floor(was.mark.mtime * 1_000) / 1_000_000);
  }
}

/** Whether what stands there is what was seen. */
function isUntouched(folder: HeldFolder, name: Bytes, stats: Stats, seen: Entry | undefined): boolean {
  if (seen === undefined) return false;
  switch (seen.kind) {
    case 'file': {
      const { ino, mtime, ctime } = seen.mark;
      const isSameFile =
        stats.isFile() && stats.ino === ino && stats.size === seen.size && stats.mtimeMs === mtime;
      // The time of a file with several names changes when another of them goes.
      return isSameFile && (seen.group !== undefined || stats.ctimeMs === ctime);
    }
    case 'folder':
      return stats.isDirectory();
    case 'link':
      return stats.isSymbolicLink() && folder.readLink(name) === seen.target;
    case 'fifo':
      return stats.isFIFO();
    case 'left-out':
      return !stats.isFile() && !stats.isDirectory();
    default:
      return assertNever(seen);
  }
}

function isSameButNames(a: Entry, b: Entry | undefined): boolean {
  return a.kind === 'file' && b?.kind === 'file'
    ? isSame({ ...a, group: undefined }, { ...b, group: undefined })
    : isSame(a, b);
}

function isOneOf(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
