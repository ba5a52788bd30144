import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '@sallyport/testkit/workspace-template';
import { Workspace } from '../../src/workspace/history/workspace.ts';

/** Generous: what a test is not about. */
export const LIMITS = { maxFile: 1024 * 1024, maxBytes: 2 ** 30, maxFiles: 100_000 };

/** A folder with a home and a workspace beside each other, gone with the test. */
export interface WorkspaceFixture extends Disposable {
  readonly folder: string;
  readonly home: string;
  readonly work: string;
  /** a path of the workspace */
  at(...parts: readonly string[]): string;
  git(...args: readonly string[]): string;
  open(limits?: Partial<typeof LIMITS>): Workspace;
}

/** Where nobody waits for a disk: for what is done a thousand times. */
export const IN_MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export function fixture(template?: string, above: string = tmpdir()): WorkspaceFixture {
  const folder = mkdtempSync(join(above, 'undo-'));
  const [home, work] = [join(folder, 'home'), join(folder, 'work')];
  mkdirSync(home, { mode: 0o700 });
  if (template === undefined) mkdirSync(work);
  else execFileSync('cp', ['-a', template, work]);
  return {
    ...{ folder, home, work },
    at: (...parts) => join(work, ...parts),
    git: (...args) => git(work, ...args),
    open: (limits) => new Workspace(home, work, () => ({ ...LIMITS, ...limits })),
    [Symbol.dispose]: () => {
      spawnSync('chmod', ['-R', 'u+rwx', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let runs = 0;

/** A run of an agent that is no agent: what `work` does between its start and its end. */
export function runIn(workspace: Workspace, work: () => void): string {
  runs += 1;
  const run = {
    id: `sess_${String(runs).padStart(26, '0')}`,
    tenant: 'default',
    agent: 'dev',
    kind: 'run',
  } as const;
  workspace.take({ run, kind: 'start', isQuiet: true });
  work();
  workspace.take({ run, kind: 'end', isQuiet: true });
  return run.id;
}

/** Plans an undo and says yes to it. */
export function undo(workspace: Workspace, request: Partial<Parameters<Workspace['undo']>[0]> = {}) {
  const whole = { force: false, ...request };
  const { digest, run } = workspace.plan(whole, ({ plan, target }) => ({
    digest: plan.digest,
    run: target.run,
  }));
  runs += 1;
  const id = `undo_${String(runs).padStart(26, '0')}`;
  return { ...workspace.undo(whole, digest, { ...run, id, agent: run.id, kind: 'undo' }), id };
}
