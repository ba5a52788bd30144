import { SallyportError } from '@sallyport/protocol/error';
import type { RunFacts, Snapshot } from '../store/snapshot.ts';
import type { SnapshotStore } from '../store/snapshot-store.ts';
import { type SnapshotLimits, takeSnapshot } from '../taking/take-snapshot.ts';
import { ancestorsOf, isSame, isWithin, nameOf, type Tree } from '../tree/entry.ts';
import type { Bytes, HeldFolder } from '../tree/held-folder.ts';
import { FolderWalk } from './folder-walk.ts';
import { type Journal, readJournal, removeJournal, writeJournal } from './journal.ts';
import type { Step, UndoPlan } from './plan.ts';
import { restore, TEMPORARY } from './restore.ts';

export interface UndoOutcome {
  /** the state after it */
  readonly after: Snapshot;
  /** somebody changed these while it ran: they are as they left them */
  readonly meanwhile: readonly Bytes[];
  /** false: it could not be carried out, and everything is as it was before */
  readonly isDone: boolean;
  /** why it could not */
  readonly error?: unknown;
}

export interface UndoParts {
  readonly store: SnapshotStore;
  readonly root: HeldFolder;
  readonly limits: SnapshotLimits;
}

/**
 * Puts the workspace back. `before` holds it as it is now, so that this can be undone as well. Throws `Unprocessable` for
 * a store that was damaged; then nothing was touched.
 */
export function carryOut(
  parts: UndoParts,
  plan: Pick<UndoPlan, 'steps' | 'anchors' | 'git'>,
  run: RunFacts,
  before: Snapshot,
): UndoOutcome {
  const hashes = plan.steps.flatMap(({ was }) => (was?.kind === 'file' ? [was.hash] : []));
  for (const hash of new Set(hashes)) parts.store.objects.check(hash);
  const journal: Journal = {
    run,
    before: before.id,
    steps: plan.steps,
    anchors: plan.anchors,
    git: plan.git,
  };
  writeJournal(parts.store.folder, journal);
  return finish(parts, journal, undefined);
}

/** Completes an undo that was cut off, or takes it back. Undefined when there was none. */
export function recover(parts: UndoParts): UndoOutcome | undefined {
  const journal = readJournal(parts.store.folder);
  if (journal === undefined) return undefined;
  return finish(parts, journal, lookAgain(parts, journal));
}

/** The snapshots that an undo which was cut off still needs. */
export function heldByJournal(store: SnapshotStore): ReadonlySet<string> {
  const journal = readJournal(store.folder);
  if (journal === undefined) return new Set();
  return new Set([
    journal.before,
    ...store.snapshots.filter(({ run }) => run.id === journal.run.agent).map(({ id }) => id),
  ]);
}

/** Forward if that can be done, else back. Throws when neither can: the journal stays, and the next command tries again. */
function finish(parts: UndoParts, journal: Journal, found: Found | undefined): UndoOutcome {
  const { store, root, limits } = parts;
  const isGit = (path: Bytes): boolean => journal.git.some((folder) => isWithin(path, folder));
  const how = { root, objects: store.objects, id: journal.run.id, anchors: journal.anchors, isGit };
  let meanwhile: readonly Bytes[];
  let failure: { readonly error: unknown } | undefined;
  try {
    const steps = [...journal.steps, ...(found?.rights ?? [])];
    meanwhile = restore({ ...how, steps, ...(found === undefined ? {} : { found: found.tree }) });
  } catch (error) {
    failure = { error };
    const again = lookAgain(parts, journal);
    const steps = journal.steps.map(({ path, now, was }) => ({ path, now: was, was: now }));
    try {
      meanwhile = restore({ ...how, steps: [...steps, ...again.rights], found: again.tree });
    } catch (cause) {
      throw new SallyportError('Unprocessable', {
        message: `the undo could neither be finished nor be taken back: ${describe(error)}`,
        hint: 'see to the disk and the rights of the workspace, then run `sallyport undo` again: it goes on from there',
        cause,
      });
    }
  }
  const { snapshot: after } = takeSnapshot(store, root, {
    run: journal.run,
    kind: 'end',
    isQuiet: true,
    limits,
  });
  removeJournal(store.folder);
  return { after, meanwhile, isDone: failure === undefined, ...failure };
}

interface Found {
  readonly tree: Tree;
  /** folders that were opened for the undo and still are */
  readonly rights: readonly Step[];
}

function lookAgain({ store, root, limits }: UndoParts, { run, before, steps }: Journal): Found {
  const { tree } = takeSnapshot(store, root, { run, kind: 'before', isQuiet: true, limits });
  clearTemporary(root, tree, run.id);
  const known = new Set(steps.map(({ path }) => path));
  const old = store.tree(store.get(before));
  const above = new Set(
    steps.flatMap(({ path }) => [...ancestorsOf(path)]).filter((path) => !known.has(path)),
  );
  const rights = [...above].flatMap((path): readonly Step[] => {
    const [now, was] = [tree.get(path), old.get(path)];
    return now?.kind === 'folder' && was?.kind === 'folder' && !isSame(now, was) ? [{ path, now, was }] : [];
  });
  return { tree, rights };
}

/** Takes away what the undo was about to give a name. */
function clearTemporary(root: HeldFolder, tree: Tree, undo: string): void {
  using walk = new FolderWalk(root);
  for (const [path, entry] of tree) {
    if (entry.kind === 'folder' || !nameOf(path).startsWith(`${TEMPORARY}${undo}-`)) continue;
    walk.in(path, (folder, name) => folder.removeFile(name));
  }
  walk.settle(new Map());
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
