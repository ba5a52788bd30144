import { type ChildProcess, fork } from 'node:child_process';
import { SallyportError } from '@sallyport/protocol';
import { ownFile } from '../../shared/own-files.ts';
import type { RunFacts } from '../store/snapshot.ts';
import type { SnapshotLimits } from '../taking/take-snapshot.ts';
import type { JobAnswer, JobMessage, JobName, Jobs } from './jobs.ts';

/** without a job for so long it ends, in ms */
const IDLE_MS = 60_000;
/** a job that takes longer is given up, and its process with it, in ms */
const LONGEST_MS = 15 * 60_000;
const MOST_WAITING = 32;
/** for the lists of the largest workspace that is taken */
const MEMORY_MB = 2_048;

interface Waiting {
  readonly settle: PromiseWithResolvers<unknown>;
  readonly timer: NodeJS.Timeout;
}

export interface WorkspaceProcessParts {
  readonly home: string;
  /** without links */
  readonly path: string;
  readonly onRecovered: (run: RunFacts, isDone: boolean) => void;
  readonly onGone: () => void;
}

/**
 * Everything about one workspace, in a process of its own: made when first needed, gone when nobody needs it. A disk that
 * hangs, or a workspace that takes all memory, ends that process and nothing else.
 */
export class WorkspaceProcess {
  readonly #parts: WorkspaceProcessParts;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #next = 1;

  constructor(parts: WorkspaceProcessParts) {
    this.#parts = parts;
  }

  /** Jobs are done in the order in which they were asked for. Rejects with the job's own error, or `Unavailable`. */
  async do<Name extends JobName>(
    name: Name,
    order: Jobs[Name]['order'],
    limits: SnapshotLimits,
  ): Promise<Jobs[Name]['answer']> {
    if (this.#waiting.size >= MOST_WAITING) throw unavailable('too much is asked of this workspace at once');
    clearTimeout(this.#idle);
    const child = this.#start();
    const id = this.#next;
    this.#next += 1;
    const settle = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => this.giveUp(), LONGEST_MS).unref();
    this.#waiting.set(id, { settle, timer });
    // As: the name says which order belongs to it.
    child.send({ id, name, order, limits } as JobMessage);
    child.ref();
    return settle.promise as Promise<Jobs[Name]['answer']>; // the worker answers what was asked
  }

  /** Ends it, and all that it was asked for: also when it waits for a disk and cannot be killed before that comes back. */
  giveUp(): void {
    const child = this.#child;
    if (child === undefined) return;
    child.kill('SIGKILL');
    child.unref();
    child.channel?.unref();
    this.#lost(child);
  }

  /** Ends it now; what it was doing is finished by the next one. */
  close(): void {
    clearTimeout(this.#idle);
    this.#child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    if (this.#child !== undefined) return this.#child;
    const child = fork(ownFile('workspace.js'), [this.#parts.home, this.#parts.path], {
      execArgv: [`--max-old-space-size=${MEMORY_MB}`],
      // SECURITY: it needs nothing of the gateway's environment, and has none of it.
      env: {},
      cwd: '/',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (answer) => this.#take(answer as JobAnswer)); // written by the worker
    child.once('error', () => this.#lost(child));
    child.once('close', () => this.#lost(child));
    this.#child = child;
    return child;
  }

  #take({ id, answer, error, recovered }: JobAnswer): void {
    const waiting = this.#waiting.get(id);
    if (recovered !== undefined) this.#parts.onRecovered(recovered.run, recovered.isDone);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (this.#waiting.size === 0) this.#rest();
    if (error === undefined) waiting.settle.resolve(answer);
    else {
      const { code, message, hint } = error;
      waiting.settle.reject(new SallyportError(code, { message, ...(hint === undefined ? {} : { hint }) }));
    }
  }

  #rest(): void {
    // An idle one keeps nobody alive.
    this.#child?.unref();
    this.#child?.channel?.unref();
    this.#idle = setTimeout(() => this.#child?.disconnect(), IDLE_MS).unref();
  }

  #lost(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    clearTimeout(this.#idle);
    for (const { settle, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      settle.reject(unavailable('the process that works on the snapshots ended'));
    }
    this.#waiting.clear();
    this.#parts.onGone();
  }
}

function unavailable(message: string): SallyportError {
  return new SallyportError('Unavailable', { message });
}
