import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import type { Tree } from '../tree/entry.ts';
import { writeDurably } from './durable-file.ts';
import { Objects } from './objects.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from './snapshot.ts';
import { decodeTree, encodeTree } from './tree-file.ts';

const PARTS = ['snapshots', 'trees', 'packs'] as const;

/** The folder of the home in which every workspace has one of its own. */
export function snapshotsFolder(home: string): string {
  return join(home, 'snapshots');
}

/** The store of a workspace, by its path without links. It need not be there. */
export function storeFolder(home: string, workspace: string): string {
  return join(snapshotsFolder(home), hash('sha256', workspace).slice(0, 32));
}

/**
 * The snapshots of one workspace: outside of it, for the gateway's user alone, in a folder that no jail has and no door
 * serves [WO-2]. Contents and lists are called by their digests and never change; what counts is a small file for each
 * snapshot, written last.
 *
 * INVARIANT: one process at a time; the gateway that holds the home sees to that.
 */
export class SnapshotStore {
  readonly folder: string;
  readonly objects: Objects;
  readonly #snapshots = new Map<string, Snapshot>();
  #lastTree: { readonly digest: string; readonly tree: Tree } | undefined;

  /** Opens the store of a workspace, by its path without links, and makes it when there is none. */
  constructor(home: string, workspace: string) {
    this.folder = storeFolder(home, workspace);
    for (const part of PARTS) mkdirSync(join(this.folder, part), { recursive: true, mode: 0o700 });
    const name = join(this.folder, 'workspace');
    if (readIfThere(name) === undefined) writeDurably(name, Buffer.from(workspace));
    this.objects = new Objects(join(this.folder, 'packs'));
    for (const file of readdirSync(join(this.folder, 'snapshots'))) {
      const id = file.replace(/\.json$/, '');
      const snapshot = decodeSnapshot(readIfThere(this.#snapshotFile(id)) ?? '', id);
      if (snapshot !== undefined) this.#snapshots.set(id, snapshot);
    }
  }

  /** Oldest first. */
  get snapshots(): readonly Snapshot[] {
    return [...this.#snapshots.values()].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }

  /** Throws `NotFound`. */
  get(id: string): Snapshot {
    const found = this.#snapshots.get(id);
    if (found !== undefined) return found;
    throw new SallyportError('NotFound', {
      message: `there is no snapshot \`${id}\``,
      hint: '`sallyport undo --list` shows what there is',
    });
  }

  /** What it holds. Throws `Unprocessable` when that was damaged. */
  tree({ tree: digest }: Pick<Snapshot, 'tree'>): Tree {
    if (this.#lastTree?.digest === digest) return this.#lastTree.tree;
    const tree = decodeTree(readIfThereBytes(this.#treeFile(digest)) ?? Buffer.alloc(0), digest);
    this.#lastTree = { digest, tree };
    return tree;
  }

  /** Makes it a snapshot. INVARIANT: everything that the tree refers to is in `objects`. */
  add(facts: Omit<Snapshot, 'tree'>, tree: Tree): Snapshot {
    const { digest, bytes } = encodeTree(tree);
    const isKept = [...this.#snapshots.values()].some((other) => other.tree === digest);
    if (!isKept) writeDurably(this.#treeFile(digest), bytes);
    const snapshot = { ...facts, tree: digest };
    writeDurably(this.#snapshotFile(snapshot.id), Buffer.from(encodeSnapshot(snapshot)));
    this.#snapshots.set(snapshot.id, snapshot);
    this.#lastTree = { digest, tree };
    return snapshot;
  }

  /** Removes snapshots, and whatever only they referred to. */
  remove(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      rmSync(this.#snapshotFile(id), { force: true });
      this.#snapshots.delete(id);
    }
  }

  /** Removes lists that no snapshot refers to; the digests of those that are left. */
  sweepTrees(): ReadonlySet<string> {
    const used = new Set([...this.#snapshots.values()].map(({ tree }) => tree));
    for (const file of readdirSync(join(this.folder, 'trees')))
      if (!used.has(file)) rmSync(join(this.folder, 'trees', file), { force: true });
    return used;
  }

  #snapshotFile(id: string): string {
    return join(this.folder, 'snapshots', `${id}.json`);
  }

  #treeFile(digest: string): string {
    return join(this.folder, 'trees', digest);
  }
}

function readIfThere(path: string): string | undefined {
  return readIfThereBytes(path)?.toString();
}

function readIfThereBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
