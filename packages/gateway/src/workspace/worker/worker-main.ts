/**
 * The process of one workspace: takes its snapshots, plans and carries out its undos, one after the other, beside the
 * gateway and the agent. Asked by messages; ends when the gateway is gone.
 */
import { mkdirSync } from 'node:fs';
import { SallyportError } from '@sallyport/protocol/error';
import { assertNever } from '../../shared/assert-never.ts';
import { listRuns, planReport, runChanges, shownPath } from '../history/report.ts';
import { Workspace } from '../history/workspace.ts';
import { storeFolder } from '../store/snapshot-store.ts';
import type { SnapshotLimits } from '../taking/take-snapshot.ts';
import type { JobAnswer, JobMessage, JobName, Jobs } from './jobs.ts';
import { takeStoreLock } from './store-lock.ts';

const [home = '', path = ''] = process.argv.slice(2);
let limits: SnapshotLimits = { maxFile: 0, maxBytes: 0, maxFiles: 0 };
let opened: Workspace | undefined;

process.on('message', (message: JobMessage) => {
  limits = message.limits;
  process.send?.(answer(message));
});
process.on('disconnect', () => process.exit(0));
// The terminal's signals are the gateway's to answer: it ends this process by hanging up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function answer(message: JobMessage): JobAnswer {
  const { id } = message;
  try {
    const workspace = open();
    const outcome = workspace.recover();
    const recovered = outcome && { recovered: { run: outcome.after.run, isDone: outcome.isDone } };
    return { id, answer: carryOut(workspace, message), ...recovered };
  } catch (error) {
    return { id, error: describe(error) };
  }
}

/** Nobody else works on the store when it is opened: what is half done there is then nobody's. */
function open(): Workspace {
  if (opened !== undefined) return opened;
  const folder = storeFolder(home, path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.on('exit', takeStoreLock(folder));
  opened = new Workspace(home, path, () => limits);
  return opened;
}

function carryOut(workspace: Workspace, message: JobMessage): Jobs[JobName]['answer'] {
  switch (message.name) {
    case 'take':
      return workspace.take(message.order);
    case 'hold': {
      const { snapshot, missing } = workspace.hold(message.order.run, message.order.destroyed);
      return { snapshot, missing: missing ? { ...missing, path: shownPath(missing.path) } : null };
    }
    case 'list':
      return listRuns(workspace);
    case 'changes':
      return runChanges(workspace, message.order.run) ?? null;
    case 'plan': {
      const { request, diff } = message.order;
      return workspace.plan(request, (planned) => planReport(workspace, planned, diff));
    }
    case 'undo':
      return undo(workspace, message.order);
    case 'prune':
      return workspace.prune(message.order.retention, new Set(message.order.live));
    default:
      return assertNever(message);
  }
}

function undo(workspace: Workspace, { request, digest, run }: Jobs['undo']['order']): Jobs['undo']['answer'] {
  const { planned, isDone, error, meanwhile } = workspace.undo(request, digest, run);
  const { tenant, id: of } = planned.target.run;
  return {
    ...{ tenant, of, to: planned.target.id, id: run.id, done: isDone },
    problem: isDone ? null : describe(error).message,
    counts: planReport(workspace, planned, false).counts,
    meanwhile: meanwhile.map(shownPath),
  };
}

function describe(error: unknown): NonNullable<JobAnswer['error']> {
  if (error instanceof SallyportError) {
    const { code, message, hint } = error;
    return { code, message, ...(hint === undefined ? {} : { hint }) };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  // Of the system: a code says enough, and no path of the machine gets out.
  if (code !== undefined) return { code: 'Unprocessable', message: `the disk does not let it (${code})` };
  return { code: 'Internal', message: error instanceof Error ? error.message : String(error) };
}
