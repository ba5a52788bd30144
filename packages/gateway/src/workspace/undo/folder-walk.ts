import { type Entry, nameOf, parentOf } from '../tree/entry.ts';
import type { Bytes, HeldFolder, Rights } from '../tree/held-folder.ts';

const ALL_OF_OWNER = 0o700;

/** Goes from folder to folder of a workspace, each entered from the one above it: no link is followed. */
export class FolderWalk implements Disposable {
  readonly #root: HeldFolder;
  #open: { readonly path: Bytes; readonly folder: HeldFolder }[] = [];
  readonly #opened = new Map<Bytes, Rights>();

  constructor(root: HeldFolder) {
    this.#root = root;
  }

  /**
   * The folder at a path, for as long as nobody asks for another. One that its owner may not change is opened for that,
   * and remembered. Throws when it is not there.
   */
  at(path: Bytes): HeldFolder {
    while (this.#open.length > 0 && !isAbove(this.#open.at(-1)?.path ?? '', path))
      this.#open.pop()?.folder[Symbol.dispose]();
    let [from, folder] = [this.#open.at(-1)?.path ?? '', this.#open.at(-1)?.folder ?? this.#root];
    if (from === '') this.#unlock('', folder.own, (rights) => folder.setOwnRights(rights));
    while (from !== path) {
      const rest = path.slice(from === '' ? 0 : from.length + 1);
      const name = rest.split('/', 1)[0] ?? '';
      const next = from === '' ? name : `${from}/${name}`;
      const stats = folder.look(name);
      const above = folder;
      if (stats?.isDirectory() === true) this.#unlock(next, stats, (rights) => above.setRights(name, rights));
      folder = folder.enter(name);
      this.#open.push({ path: next, folder });
      from = next;
    }
    return folder;
  }

  /** Runs something in the folder of a path, with the path's own name. */
  in<T>(path: Bytes, act: (folder: HeldFolder, name: Bytes) => T): T {
    return act(this.at(parentOf(path)), nameOf(path));
  }

  /** Gives folders their rights: those that were opened, or that are to have others. The deepest first. */
  settle(wanted: ReadonlyMap<Bytes, Entry | undefined>): void {
    const all = new Map<Bytes, Rights>(this.#opened);
    for (const [path, entry] of wanted) {
      if (entry?.kind === 'folder') all.set(path, entry);
      else if (wanted.has(path)) all.delete(path);
    }
    for (const path of [...all.keys()].sort().reverse()) {
      const rights = all.get(path);
      if (rights === undefined) continue;
      if (path === '') this.#root.setOwnRights(rights);
      else
        this.in(path, (folder, name) => folder.look(name)?.isDirectory() && folder.setRights(name, rights));
    }
  }

  [Symbol.dispose](): void {
    for (const { folder } of this.#open.reverse()) folder[Symbol.dispose]();
    this.#open = [];
  }

  #unlock(path: Bytes, { mode, uid, gid }: Rights, set: (rights: Rights) => void): void {
    if ((mode & ALL_OF_OWNER) === ALL_OF_OWNER) return;
    const rights = { mode: mode & 0o7777, uid, gid };
    if (!this.#opened.has(path)) this.#opened.set(path, rights);
    set({ ...rights, mode: rights.mode | ALL_OF_OWNER });
  }
}

function isAbove(folder: Bytes, path: Bytes): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
