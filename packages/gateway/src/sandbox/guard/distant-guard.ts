import { type ChildProcess, fork } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { LOCAL_DISKS } from '../../shared/local-disks.ts';
import { ownFile } from '../../shared/own-files.ts';
import type { TakenBack } from './take-back.ts';
import { WorkspaceBefore } from './workspace-before.ts';
import { type Guard, WorkspaceGuard } from './workspace-guard.ts';

/** A look through a large tree takes seconds on such a disk. */
const PATIENCE_MS = 20_000;

/** What the process is told; `before` in the parts that a message can carry. */
export type GuardMessage =
  | { readonly kind: 'open'; readonly before: HeldParts; readonly keepIn: string }
  | { readonly kind: 'begin'; readonly launcher: number }
  | { readonly kind: 'settle' };

type HeldParts = Pick<WorkspaceBefore, 'roots' | 'places' | 'more' | 'folders'>;

/** Guards a workspace; on a disk that may hang, from a process of its own, so that nobody else waits for it [JA-6]. */
export function guardOf(before: WorkspaceBefore, keepIn: string): Guard {
  return before.roots.every(isLocal) ? new WorkspaceGuard(before, keepIn) : new DistantGuard(before, keepIn);
}

/** What came in a message is what was held again. */
export function heldAgain({ roots, places, more, folders }: HeldParts): WorkspaceBefore {
  const before = new WorkspaceBefore(roots);
  for (const [path, place] of places) before.places.set(path, place);
  for (const [path, place] of more) before.more.set(path, place);
  before.folders.push(...folders);
  return before;
}

class DistantGuard implements Guard {
  readonly #child: ChildProcess;
  readonly #roots: readonly string[];

  constructor(before: WorkspaceBefore, keepIn: string) {
    const { roots, places, more, folders } = before;
    this.#roots = roots;
    this.#child = fork(ownFile('guard.js'), [], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      execArgv: [],
      // It needs nothing of the person's environment.
      ...{ env: {}, cwd: '/' },
    });
    this.#child.on('error', () => undefined);
    this.#child.unref();
    this.#child.channel?.unref();
    this.#tell({ kind: 'open', before: { roots, places, more, folders }, keepIn });
  }

  begin(launcher: number): void {
    this.#tell({ kind: 'begin', launcher });
  }

  async settle(): Promise<readonly TakenBack[]> {
    const answer = await new Promise<readonly TakenBack[] | undefined>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE_MS, undefined);
      const done = (taken: readonly TakenBack[] | undefined): void => {
        clearTimeout(timer);
        resolve(taken);
      };
      // `as`: our own program at the other end
      this.#child.once('message', (taken) => done(taken as readonly TakenBack[]));
      this.#child.once('exit', () => done(undefined));
      if (this.#child.exitCode !== null || !this.#tell({ kind: 'settle' })) done(undefined);
    });
    // Also out of a call that waits for the disk.
    this.#child.kill('SIGKILL');
    return (
      answer ??
      this.#roots.map((path) => ({ path, why: 'COULD NOT BE LOOKED AT', kept: undefined, times: 1 }))
    );
  }

  #tell(message: GuardMessage): boolean {
    return this.#child.connected && this.#child.send(message, () => undefined);
  }
}

function isLocal(path: string): boolean {
  try {
    return LOCAL_DISKS.has(statfsSync(path).type);
  } catch {
    return false;
  }
}
