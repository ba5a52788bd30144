import { ancestorsOf, type Tree } from '../tree/entry.ts';
import type { Bytes } from '../tree/held-folder.ts';

/**
 * What is put back together or not at all: a folder of git's own, in which no file means anything without the others;
 * the names of one file; else one path.
 */
export class Units {
  readonly #git: ReadonlySet<Bytes>;
  readonly #joined = new Map<Bytes, Bytes>();

  constructor(git: readonly Bytes[], ...trees: readonly Tree[]) {
    this.#git = new Set(git);
    for (const tree of trees)
      for (const [path, entry] of tree)
        if (entry.kind === 'file' && entry.group !== undefined) this.#join(path, entry.group);
  }

  /** The name of the unit that a path belongs to. */
  of(path: Bytes): Bytes {
    return this.#first(this.#own(path));
  }

  /** The folders of git's own in a unit. */
  gitFoldersOf(unit: Bytes): readonly Bytes[] {
    return [...this.#git].filter((folder) => this.#first(folder) === unit);
  }

  isGit(path: Bytes): boolean {
    return this.#gitFolderOf(path) !== undefined;
  }

  #own(path: Bytes): Bytes {
    return this.#gitFolderOf(path) ?? path;
  }

  #gitFolderOf(path: Bytes): Bytes | undefined {
    if (this.#git.has(path)) return path;
    for (const above of ancestorsOf(path)) if (this.#git.has(above)) return above;
    return undefined;
  }

  #join(a: Bytes, b: Bytes): void {
    const [x, y] = [this.of(a), this.of(b)];
    if (x !== y) this.#joined.set(y, x);
  }

  #first(unit: Bytes): Bytes {
    let at = unit;
    for (let next = this.#joined.get(at); next !== undefined; next = this.#joined.get(at)) at = next;
    return at;
  }
}
