import { newId } from '../../shared/ids.ts';
import type { Snapshot } from './snapshot.ts';
import type { SnapshotStore } from './snapshot-store.ts';

export interface Retention {
  /** runs of a workspace that are kept at most */
  readonly keepRuns: number;
  /** after its last snapshot, in ms */
  readonly keepMs: number;
}

/** A pack of which less than this part is still referred to is written anew. */
const WORTH_KEEPING = 0.5;

/** Snapshots of runs that are too many or too old. Never those of `live` runs, nor those in `held`. */
export function outdated(
  snapshots: readonly Snapshot[],
  { keepRuns, keepMs }: Retention,
  now: number,
  live: ReadonlySet<string>,
  held: ReadonlySet<string>,
): ReadonlySet<string> {
  const last = new Map<string, number>();
  for (const { run, at } of snapshots) last.set(run.id, Math.max(at, last.get(run.id) ?? 0));
  const newest = [...last].sort(([, a], [, b]) => b - a).slice(0, keepRuns);
  const kept = new Set(newest.filter(([, at]) => at >= now - keepMs).map(([run]) => run));
  return new Set(
    snapshots
      .filter(({ run, id }) => !kept.has(run.id) && !live.has(run.id) && !held.has(id))
      .map(({ id }) => id),
  );
}

/**
 * Removes snapshots, and the contents that no other one refers to. A kill in the middle leaves more than is needed, never
 * less: a pack goes only when all that is left of it stands in another one.
 */
export function removeSnapshots(store: SnapshotStore, ids: ReadonlySet<string>): void {
  if (ids.size === 0) return;
  store.remove(ids);
  store.sweepTrees();
  const used = new Set<string>();
  const seen = new Set<string>();
  for (const snapshot of store.snapshots) {
    if (seen.has(snapshot.tree)) continue;
    seen.add(snapshot.tree);
    for (const entry of store.tree(snapshot).values()) if (entry.kind === 'file') used.add(entry.hash);
  }
  for (const pack of store.objects.packs) sweepPack(store, pack, used);
}

/** Takes the newest snapshot away again, with the contents that it brought. */
export function discardNewest(store: SnapshotStore, id: string): void {
  store.remove(new Set([id]));
  store.sweepTrees();
  store.objects.removePack(`${id}.pack`);
}

function sweepPack(store: SnapshotStore, pack: string, used: ReadonlySet<string>): void {
  const contents = [...store.objects.contentsOf(pack)];
  const left = contents.filter(({ hash }) => used.has(hash));
  const bytes = (list: typeof contents): number => list.reduce((sum, one) => sum + one.bytes, 0);
  if (left.length === contents.length) return;
  if (left.length > 0 && bytes(left) >= WORTH_KEEPING * bytes(contents)) return;
  if (left.length > 0) {
    const id = newId('snap');
    const writer = store.objects.writer(id, pack);
    try {
      for (const { hash } of left) {
        using source = store.objects.source(hash);
        // SECURITY: what was damaged is not written anew under a digest that it has not.
        writer.add(source);
      }
      if (writer.finish()) store.objects.opened(id);
    } catch (error) {
      writer.abandon();
      throw error;
    }
  }
  store.objects.removePack(pack);
}
