import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import { newId } from '../../shared/ids.ts';
import { discardNewest, outdated, type Retention, removeSnapshots } from '../store/prune.ts';
import type { RunFacts, Snapshot } from '../store/snapshot.ts';
import { SnapshotStore } from '../store/snapshot-store.ts';
import { type SnapshotLimits, type SnapshotOrder, takeSnapshot } from '../taking/take-snapshot.ts';
import { isWithin, type Tree } from '../tree/entry.ts';
import { type Bytes, HeldFolder } from '../tree/held-folder.ts';
import { carryOut, heldByJournal, recover, type UndoOutcome } from '../undo/carry-out.ts';
import { planUndo, type UndoPlan } from '../undo/plan.ts';
import { type Destroyed, firstMissing, type Missing } from './missing.ts';

/** What is to be undone. */
export interface UndoRequest {
  /** the run; absent: the last one that was no undo */
  readonly run?: string;
  /** the snapshot; absent: the first one of the run */
  readonly to?: string;
  /** absent: all of it */
  readonly paths?: readonly Bytes[];
  readonly force: boolean;
}

/** An undo that could be carried out, and what it is about. */
export interface PlannedUndo {
  readonly target: Snapshot;
  readonly end: Snapshot | undefined;
  readonly plan: UndoPlan;
  readonly trees: { readonly target: Tree; readonly now: Tree };
  /** other runs in this workspace between the target and the end */
  readonly others: readonly string[];
}

/** How often a plan may find something more that must be held first. */
const MOST_LOOKS = 4;

/** One folder that agents work in, with its snapshots. Everything is done at once: meant for a process of its own. */
export class Workspace {
  /** without links */
  readonly path: string;
  readonly store: SnapshotStore;
  readonly #limits: () => SnapshotLimits;

  constructor(home: string, path: string, limits: () => SnapshotLimits) {
    this.path = realPath(path);
    refuseOwnHome(realPath(home), this.path);
    this.store = new SnapshotStore(home, this.path);
    this.#limits = limits;
  }

  /** Throws `Unprocessable` when there can be none, with the reason. */
  take(order: Omit<SnapshotOrder, 'limits'>): Snapshot {
    this.recover();
    using root = this.#open();
    return takeSnapshot(this.store, root, { ...order, limits: this.#limits() }).snapshot;
  }

  /** Holds it before a command that destroys; what the snapshot cannot give back of that, if anything. */
  hold(
    run: RunFacts,
    destroyed: Destroyed,
  ): { readonly snapshot: Snapshot; readonly missing: Missing | undefined } {
    this.recover();
    using root = this.#open();
    const order = { run, kind: 'before', isQuiet: false, limits: this.#limits() } as const;
    const { snapshot, tree } = takeSnapshot(this.store, root, order);
    return { snapshot, missing: firstMissing(tree, destroyed, (hash) => this.store.objects.read(hash)) };
  }

  /** Completes an undo that was cut off, or takes it back. */
  recover(): UndoOutcome | undefined {
    if (heldByJournal(this.store).size === 0) return undefined;
    using root = this.#openOrMake();
    return recover({ store: this.store, root, limits: this.#limits() });
  }

  /** What undoing would do, told to `use` while the contents of this moment can be read. Changes nothing. */
  plan<T>(request: UndoRequest, use: (planned: PlannedUndo) => T): T {
    this.recover();
    using root = this.#openOrMake();
    const looked = this.#look(root, request);
    try {
      return use(looked);
    } finally {
      discardNewest(this.store, looked.before.id);
    }
  }

  /**
   * Undoes what `digest` was planned for. Throws `Conflict` when the workspace changed since that plan, and whatever
   * `plan` throws.
   */
  undo(request: UndoRequest, digest: string, run: RunFacts): UndoOutcome & { readonly planned: PlannedUndo } {
    this.recover();
    using root = this.#openOrMake();
    const planned = this.#look(root, request, run);
    const { plan, before } = planned;
    if (plan.digest !== digest) {
      discardNewest(this.store, before.id);
      throw new SallyportError('Conflict', {
        message: 'the workspace changed since you were shown what would be undone',
        hint: 'look again, and say yes to what is there now',
      });
    }
    try {
      const parts = { store: this.store, root, limits: this.#limits() };
      return { ...carryOut(parts, plan, run, before), planned };
    } catch (error) {
      // With a journal it goes on later, and needs what was there before.
      if (heldByJournal(this.store).size === 0) discardNewest(this.store, before.id);
      throw error;
    }
  }

  /** Removes snapshots of runs that are too many or too old; how many, and how many bytes. */
  prune(
    retention: Retention,
    live: ReadonlySet<string>,
  ): { readonly removed: number; readonly bytes: number } {
    const ids = outdated(this.store.snapshots, retention, Date.now(), live, heldByJournal(this.store));
    const before = this.store.objects.bytes;
    removeSnapshots(this.store, ids);
    return { removed: ids.size, bytes: Math.max(0, before - this.store.objects.bytes) };
  }

  #look(root: HeldFolder, request: UndoRequest, as?: RunFacts): PlannedUndo & Looked {
    const target = this.#targetOf(request);
    const all = this.store.snapshots;
    const end = all.findLast(({ run, kind }) => run.id === target.run.id && kind === 'end');
    const [was, ended] = [this.store.tree(target), end && this.store.tree(end)];
    const run = as ?? { ...target.run, id: newId('undo'), kind: 'undo', agent: target.run.id };
    const whole = new Set<Bytes>();
    let seen: Tree | undefined;
    for (let looks = 1; ; looks += 1) {
      const order = { run, kind: 'start', isQuiet: false, limits: this.#limits(), whole } as const;
      const { snapshot: before, tree: now } = takeSnapshot(this.store, root, order);
      seen ??= now;
      const plan = planUndo({
        ...{ target: was, end: ended, now, seen, force: request.force, isChosen: chooser(request.paths) },
        read: (hash) => this.store.objects.read(hash),
      });
      if (plan.toHold.size > 0 && looks < MOST_LOOKS) {
        for (const path of plan.toHold) whole.add(path);
        discardNewest(this.store, before.id);
        continue;
      }
      return {
        ...{ target, end, plan, before },
        trees: { target: was, now },
        others: othersIn(all, target, end),
      };
    }
  }

  #targetOf({ run, to }: UndoRequest): Snapshot {
    const all = this.store.snapshots;
    if (to !== undefined) {
      const found = this.store.get(to);
      if (run === undefined || found.run.id === run) return found;
      throw new SallyportError('Unprocessable', { message: `\`${to}\` is no snapshot of \`${run}\`` });
    }
    const id = run ?? all.findLast((snapshot) => snapshot.run.kind !== 'undo')?.run.id;
    const first = all.find((snapshot) => snapshot.run.id === id);
    if (first !== undefined) return first;
    throw new SallyportError('NotFound', {
      message:
        run === undefined
          ? `no run in \`${this.path}\` has a snapshot`
          : `the run \`${run}\` has no snapshot in \`${this.path}\``,
      hint: '`sallyport undo --list` shows what there is; old ones are removed after some days',
    });
  }

  #open(): HeldFolder {
    try {
      return HeldFolder.open(this.path);
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
      throw new SallyportError('Unprocessable', {
        message: `the workspace \`${this.path}\` cannot be opened (${code})`,
        hint: 'see that it exists, and that you may read it',
        cause,
      });
    }
  }

  /** An agent without a jail can remove the workspace itself. */
  #openOrMake(): HeldFolder {
    try {
      return HeldFolder.open(this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return this.#open();
    }
    try {
      using above = HeldFolder.open(dirname(this.path));
      above.makeFolder(Buffer.from(basename(this.path)).toString('latin1'));
    } catch {
      // Said by the next line.
    }
    return this.#open();
  }
}

interface Looked {
  /** the workspace as it is; of no use when nothing is undone */
  readonly before: Snapshot;
}

function chooser(paths: readonly Bytes[] | undefined): (path: Bytes) => boolean {
  return paths === undefined ? () => true : (path) => paths.some((chosen) => isWithin(path, chosen));
}

function othersIn(all: readonly Snapshot[], target: Snapshot, end: Snapshot | undefined): readonly string[] {
  const isBetween = ({ at }: Snapshot): boolean =>
    at > target.at && at < (end?.at ?? Number.POSITIVE_INFINITY);
  const others = all.filter(
    (one) => one.run.id !== target.run.id && one.run.kind !== 'undo' && isBetween(one),
  );
  return [...new Set(others.map(({ run }) => run.id))];
}

/** SECURITY: a store that holds itself has no end, and an undo would take back what the gateway wrote down [WO-2]. */
function refuseOwnHome(home: string, path: string): void {
  if (path !== '/' && !isWithin(home, path) && !isWithin(path, home)) return;
  throw new SallyportError('Unprocessable', {
    message: `the gateway's own home \`${home}\` lies in the workspace, or the workspace in it`,
    hint: 'work in a folder of its own',
  });
}

/** Links in the person's own path are followed; a workspace that is gone is called as it was. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
