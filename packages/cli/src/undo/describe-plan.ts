import type { SnapshotList, UndoPlanWire, UndoResult } from '@sallyport/protocol';
import { relativeTime, table, visibleLine } from '../output.ts';
import { describeGit } from '../run/describe-changes.ts';

const MOST_SHOWN = 20;

const WORDS: Readonly<Record<UndoPlanWire['changes'][number]['change'], string>> = {
  added: 'bring back',
  removed: 'remove',
  changed: 'put back',
  rights: 'put back the mode of',
  kind: 'put back',
};

const KEPT: Readonly<Record<UndoPlanWire['kept'][number]['why'], string>> = {
  yours: 'changed after the run',
  unsure: 'may have changed after the run, whose end nobody saw',
  'not-held': 'gone, and in no snapshot: make it anew',
  'new-not-held': 'new, and too large to be held: remove it yourself if you do not want it',
  'in-the-way': 'something that stays is in it, or stands in its way',
};

/** Whether there is anything to do. */
export function isEmpty({ counts, git }: UndoPlanWire): boolean {
  return counts.added + counts.removed + counts.changed === 0 && git.length === 0;
}

/** Whether `--force` would do more. */
export function hasOwnWork({ kept }: UndoPlanWire): boolean {
  return kept.some(({ why }) => why === 'yours' || why === 'unsure');
}

/** What would change, on one screen. */
export function describePlan(plan: UndoPlanWire, now: number = Date.now()): readonly string[] {
  const { run, snapshot, changes, counts, kept, git } = plan;
  const what = run.kind === 'undo' ? `the undo of ${run.agent}` : `the ${run.kind} of ${run.agent}`;
  const total = counts.added + counts.removed + counts.changed;
  const lines = [
    `${what}  (${run.id}, began ${relativeTime(run.started_at, now)})`,
    `  in       ${visibleLine(plan.workspace)}`,
    `  back to  ${snapshot.kind === 'start' ? 'its start' : snapshot.kind}, ${relativeTime(snapshot.at, now)}  (${snapshot.id})`,
  ];
  for (const { path, change } of changes.slice(0, MOST_SHOWN))
    lines.push(`  ${WORDS[change]} ${shown(path)}`);
  if (total > MOST_SHOWN)
    lines.push(`  and ${total - Math.min(MOST_SHOWN, changes.length)} more (--json lists them)`);
  for (const one of git) {
    lines.push(
      `  put back ${shown(one.folder)}: branches, index and stash as they were; since then ${describeGit(one)}`,
    );
  }
  for (const { path, why } of kept.slice(0, MOST_SHOWN)) lines.push(`  keep ${shown(path)}: ${KEPT[why]}`);
  if (plan.kept_count > MOST_SHOWN) lines.push(`  and ${plan.kept_count - MOST_SHOWN} more that stay`);
  for (const path of plan.git_elsewhere)
    lines.push(`  note: the repository of ${shown(path)} is outside, and stays as it is`);
  if (plan.others.length > 0)
    lines.push(`  note: ${plan.others.join(', ')} worked here at the same time; that goes too`);
  for (const line of plan.diff ?? []) lines.push(visibleLine(line.replaceAll('\t', '    ')));
  return lines;
}

export function describeResult(result: UndoResult): readonly string[] {
  const { added, removed, changed } = result.counts;
  const lines = [
    `undone: ${added} brought back, ${removed} removed, ${changed} put back`,
    ...result.meanwhile.map((path) => `  ${shown(path)} changed meanwhile and stays`),
  ];
  return [...lines, `take this back with: sallyport undo ${result.id}`];
}

export function describeList({ workspace, runs }: SnapshotList, now: number = Date.now()): readonly string[] {
  const rows = runs.flatMap(({ id, kind, agent, started_at: started, snapshots }) => [
    [id, `${kind} of ${agent}`, relativeTime(started, now)],
    ...snapshots.map((one) => [
      `  ${one.id}`,
      one.kind,
      `${relativeTime(one.at, now)}, ${one.files} files, ${megabytes(one.bytes)}${one.left_out > 0 ? `, ${one.left_out} left out` : ''}`,
    ]),
  ]);
  return [visibleLine(workspace), ...table(rows)];
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function shown(path: string): string {
  return path === '' ? 'the folder itself' : visibleLine(path);
}
