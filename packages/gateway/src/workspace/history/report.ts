import type {
  GitChangeWire,
  RunChanges,
  SnapshotList,
  SnapshotWire,
  UndoPlanWire,
  WorkspaceRun,
} from '@sallyport/protocol';
import type { Snapshot } from '../store/snapshot.ts';
import { LEFT_OUT, parentOf, type Tree } from '../tree/entry.ts';
import { type Bytes, bytesOf } from '../tree/held-folder.ts';
import { type Change, changesBetween, countLines, diffOf, gitChange, kindOf } from '../undo/changes.ts';
import type { ReadContent } from '../undo/git-state.ts';
import { gitElsewhere } from './git-elsewhere.ts';
import type { PlannedUndo, Workspace } from './workspace.ts';

const MOST_LISTED = 500;
const MOST_DIFF_BYTES = 4 * 1024 * 1024;
const MOST_DIFF_LINES = 20_000;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** A path as text; bytes that are no UTF-8 become `\xNN`. */
export function shownPath(path: Bytes): string {
  try {
    return UTF8.decode(bytesOf(path));
  } catch {
    return path.replace(/[\x80-\xff]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`);
  }
}

export function listRuns({ path, store }: Workspace): SnapshotList {
  const runs = new Map<string, Snapshot[]>();
  for (const snapshot of store.snapshots)
    runs.set(snapshot.run.id, [...(runs.get(snapshot.run.id) ?? []), snapshot]);
  const listed = [...runs.values()].map((snapshots) => ({
    ...runFacts(snapshots),
    snapshots: snapshots.map(wire),
  }));
  return { workspace: path, runs: listed };
}

/** What a run did; undefined when its first or last state is not held. */
export function runChanges({ store }: Workspace, run: string): RunChanges | undefined {
  const own = store.snapshots.filter((snapshot) => snapshot.run.id === run);
  const [start, end] = [own[0], own.findLast(({ kind }) => kind === 'end')];
  if (start === undefined || end === undefined || start === end) return undefined;
  const read: ReadContent = (hash) => store.objects.read(hash);
  const [was, now] = [store.tree(start), store.tree(end)];
  const { files, git } = changesBetween(was, now, read);
  return {
    files: countPaths(files),
    lines: countLines(files, read),
    git: git.map(({ folder }) => gitReport(folder, was, now, read)),
    left_out: end.leftOut,
  };
}

export function planReport(workspace: Workspace, planned: PlannedUndo, withDiff: boolean): UndoPlanWire {
  const { plan, target, trees, others } = planned;
  const read: ReadContent = (hash) => workspace.store.objects.read(hash);
  const isGit = (path: Bytes): boolean =>
    plan.git.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const all = plan.steps.map(({ path, now, was }): Change => ({ path, from: now, to: was }));
  // Git's own files say nothing to people; its state does. A folder comes and goes with what is in it.
  const files = all.filter(({ path, from, to }) => {
    const isFolder = (from ?? to)?.kind === 'folder' && (from === undefined || to === undefined);
    return !isGit(path) && (!isFolder || isEmpty(path, from === undefined ? trees.target : trees.now));
  });
  const leftOut = [...trees.target].filter(([, entry]) => entry.kind === 'left-out');
  const own = workspace.store.snapshots.filter(({ run }) => run.id === target.run.id);
  return {
    workspace: workspace.path,
    run: runFacts(own),
    snapshot: wire(target),
    counts: countPaths(files),
    changes: files
      .slice(0, MOST_LISTED)
      .map((change) => ({ path: shownPath(change.path), change: kindOf(change) })),
    git: plan.git.map((folder) => gitReport(folder, trees.target, trees.now, read)),
    kept: plan.kept.slice(0, MOST_LISTED).map(({ path, why }) => ({ path: shownPath(path), why })),
    kept_count: plan.kept.length,
    left_out: leftOut.slice(0, MOST_LISTED).map(([path, entry]) => ({
      path: shownPath(path),
      why: entry.kind === 'left-out' ? LEFT_OUT[entry.why] : '',
    })),
    left_out_count: leftOut.length,
    others: [...others],
    git_elsewhere: gitElsewhere(trees.target, read).map(shownPath),
    diff: withDiff ? [...diffText(files, read)] : null,
    digest: plan.digest,
  };
}

function countPaths(changes: readonly Change[]): RunChanges['files'] {
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const change of changes) {
    const kind = kindOf(change);
    counts[kind === 'added' || kind === 'removed' ? kind : 'changed'] += 1;
  }
  return counts;
}

function isEmpty(folder: Bytes, tree: Tree): boolean {
  for (const path of tree.keys()) if (path !== '' && parentOf(path) === folder) return false;
  return true;
}

function gitReport(folder: Bytes, was: Tree, now: Tree, read: ReadContent): GitChangeWire {
  const { from, to, commits } = gitChange(folder, was, now, read);
  const names = new Set([...(from?.refs.keys() ?? []), ...(to?.refs.keys() ?? [])]);
  const refs = [...names]
    .map((name) => ({
      name: shownPath(name),
      was: from?.refs.get(name) ?? null,
      now: to?.refs.get(name) ?? null,
    }))
    .filter((ref) => ref.was !== ref.now);
  return {
    folder: shownPath(folder),
    commits,
    head: { was: from?.head ?? null, now: to?.head ?? null },
    refs: refs.slice(0, MOST_LISTED),
    stashed: { was: from?.stashed ?? 0, now: to?.stashed ?? 0 },
  };
}

function* diffText(changes: readonly Change[], read: ReadContent): Generator<string> {
  let [bytes, lines] = [MOST_DIFF_BYTES, 0];
  for (const change of changes) {
    const kind = kindOf(change);
    yield `${shownPath(change.path)} (${kind})`;
    const shown = kind === 'rights' ? { lines: [], bytes: 0 } : diffOf(change, read, bytes);
    if (shown === undefined) yield '  no text, or too much of it to be shown';
    else {
      for (const line of shown.lines) yield `  ${line}`;
      bytes -= shown.bytes;
      lines += shown.lines.length;
    }
    if (lines > MOST_DIFF_LINES) return yield 'and more, which is not shown';
  }
}

function runFacts(snapshots: readonly Snapshot[]): Omit<WorkspaceRun, 'snapshots'> {
  const [first, end] = [snapshots[0], snapshots.findLast(({ kind }) => kind === 'end')];
  return {
    id: first?.run.id ?? '',
    kind: first?.run.kind ?? 'run',
    agent: first?.run.agent ?? '',
    started_at: new Date(first?.at ?? 0).toISOString(),
    ended_at: end === undefined ? null : new Date(end.at).toISOString(),
  };
}

function wire({ id, kind, at, files, bytes, leftOut }: Snapshot): SnapshotWire {
  return { id, kind, at: new Date(at).toISOString(), files, bytes, left_out: leftOut };
}
