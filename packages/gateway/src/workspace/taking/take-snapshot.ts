import { statfsSync } from 'node:fs';
import { SallyportError } from '@sallyport/protocol/error';
import { newId } from '../../shared/ids.ts';
import type { Objects } from '../store/objects.ts';
import type { RunFacts, Snapshot, SnapshotKind } from '../store/snapshot.ts';
import type { SnapshotStore } from '../store/snapshot-store.ts';
import { isSame, type Tree } from '../tree/entry.ts';
import type { Bytes, HeldFolder } from '../tree/held-folder.ts';
import { type Scan, scanTree } from './scan.ts';

export interface SnapshotLimits {
  /** largest ignored file that is held, in bytes */
  readonly maxFile: number;
  /** new bytes of one snapshot, at most */
  readonly maxBytes: number;
  readonly maxFiles: number;
}

export interface SnapshotOrder {
  readonly run: RunFacts;
  readonly kind: SnapshotKind;
  /** no agent is at work in the workspace */
  readonly isQuiet: boolean;
  readonly limits: SnapshotLimits;
  /** paths that are held whatever their names say */
  readonly whole?: ReadonlySet<Bytes>;
}

/** So much stays free on the disk of the home, in bytes */
const LEFT_FREE = 64 * 1024 * 1024;

/**
 * Holds the workspace as it is now. Without a change since the last one a `timed` or `before` snapshot is that one.
 *
 * Throws `Unprocessable` for a workspace that is too large or a disk that is full; nothing is kept then.
 */
export function takeSnapshot(
  store: SnapshotStore,
  root: HeldFolder,
  order: SnapshotOrder,
): { readonly snapshot: Snapshot; readonly tree: Tree } {
  refuseFullDisk(store.folder);
  const last = store.snapshots.at(-1);
  const before = last && usable(store, last);
  const id = newId('snap');
  const writer = store.objects.writer(id);
  let scan: Scan;
  // Later than the one before, also in the same millisecond and by a clock that was set back: their order is what undo goes by.
  const at = Math.max(Date.now(), (last?.at ?? 0) + 1);
  try {
    scan = scanTree(root, {
      ...order.limits,
      ...{ before, isQuiet: order.isQuiet, whole: order.whole ?? NONE, now: Date.now },
      read: (file) => writer.add(file),
    });
    const isOwn = last?.run.id === order.run.id;
    const canBeSame = order.kind === 'timed' || order.kind === 'before';
    if (canBeSame && isOwn && last !== undefined && before !== undefined && isSameTree(before, scan.tree)) {
      writer.abandon();
      return { snapshot: last, tree: scan.tree };
    }
    if (writer.finish()) store.objects.opened(id);
  } catch (error) {
    writer.abandon();
    throw storeFailure(error);
  }
  const { run, kind } = order;
  try {
    const snapshot = store.add({ id, run, kind, at, ...count(scan) }, scan.tree);
    return { snapshot, tree: scan.tree };
  } catch (error) {
    throw storeFailure(error);
  }
}

const NONE: ReadonlySet<Bytes> = new Set();
const checked = new WeakMap<Objects, string>();

/** The tree of a snapshot, unless any of its contents is gone: then everything is read again. */
function usable(store: SnapshotStore, snapshot: Snapshot): Tree | undefined {
  try {
    const tree = store.tree(snapshot);
    if (checked.get(store.objects) === snapshot.tree) return tree;
    for (const entry of tree.values())
      if (entry.kind === 'file' && !store.objects.has(entry.hash)) return undefined;
    checked.set(store.objects, snapshot.tree);
    return tree;
  } catch {
    return undefined;
  }
}

export function isSameTree(a: Tree, b: Tree): boolean {
  if (a.size !== b.size) return false;
  for (const [path, entry] of a) if (!isSame(entry, b.get(path))) return false;
  return true;
}

function count({ tree, unsettled }: Scan): Pick<Snapshot, 'files' | 'bytes' | 'leftOut' | 'unsettled'> {
  let [files, bytes, leftOut] = [0, 0, 0];
  for (const entry of tree.values()) {
    if (entry.kind === 'left-out') leftOut += 1;
    else if (entry.kind !== 'folder') files += 1;
    if (entry.kind === 'file') bytes += entry.size;
  }
  return { files, bytes, leftOut, unsettled: unsettled.length };
}

function refuseFullDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LEFT_FREE) throw full();
}

/** What the disk of the home says, in words. */
export function storeFailure(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT' ? full(error) : error;
}

function full(cause?: unknown): SallyportError {
  return new SallyportError('Unprocessable', {
    message: 'no space is left for a snapshot on the disk of the gateway’s home',
    hint: 'free some space, or remove old snapshots with `sallyport undo --prune`',
    cause,
  });
}
