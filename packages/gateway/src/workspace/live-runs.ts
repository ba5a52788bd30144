import { type RunChanges, SallyportError } from '@sallyport/protocol';
import type { AuditTrail } from '../audit/index.ts';
import type { SnapshotConfig } from '../config/index.ts';
import { durationMs } from '../shared/duration.ts';
import type { Destroyed } from './history/missing.ts';
import type { RunFacts, Snapshot, SnapshotKind } from './store/snapshot.ts';
import { isWithin } from './tree/entry.ts';
import type { WorkspaceProcesses } from './worker/workspace-processes.ts';

const LOOK_MS = 1_000;
/** A disk that hangs keeps nobody from ending a run: after this time its end is one that nobody saw, in ms */
const END_MS = 20_000;
const DAY_MS = 86_400_000;

/** Whether what a command destroys can be brought back. */
export type HeldBefore =
  | { readonly kind: 'held'; readonly snapshot: string }
  /** `why` is a part of a sentence, for people and agents */
  | { readonly kind: 'not-held'; readonly why: string };

/** Whether a run can be undone. */
export type Held =
  | { readonly kind: 'held'; readonly snapshot: Snapshot }
  /** with the reason, in a sentence; none when nobody wants snapshots */
  | { readonly kind: 'not-held'; readonly problem: SallyportError | undefined };

interface LiveRun {
  readonly run: RunFacts;
  /** of the workspace, without links */
  readonly path: string;
  lastAt: number;
  /** id of the last snapshot */
  last: string | undefined;
  /** a snapshot that is being taken */
  taking: Promise<Snapshot> | undefined;
  /** the agent is gone, and what it left is being held */
  ending: Promise<void> | undefined;
}

export interface LiveRunsParts {
  readonly processes: WorkspaceProcesses;
  readonly config: () => SnapshotConfig;
  readonly trail: AuditTrail;
  readonly onFailed: (error: unknown) => void;
}

/** Runs and hook sessions that are at work in a workspace, and the snapshots that are taken of it meanwhile. */
export class LiveRuns {
  readonly #parts: LiveRunsParts;
  readonly #live = new Map<string, LiveRun>();
  readonly #looking: NodeJS.Timeout;

  constructor(parts: LiveRunsParts) {
    this.#parts = parts;
    this.#looking = setInterval(() => this.#takeDue(), LOOK_MS).unref();
  }

  get ids(): readonly string[] {
    return [...this.#live.keys()];
  }

  has(run: string): boolean {
    return this.#live.has(run);
  }

  /** The runs that work in a folder, in one above it, or in one below it. */
  within(path: string): readonly string[] {
    const isNear = (run: LiveRun): boolean => isWithin(run.path, path) || isWithin(path, run.path);
    return [...this.#live.values()].filter(isNear).map(({ run }) => run.id);
  }

  /** Holds the workspace before the agent's first instruction. Never rejects: a run without a way back is still a run. */
  async begin(run: RunFacts, path: string): Promise<Held> {
    if (this.#parts.config().keep_runs === 0) return { kind: 'not-held', problem: undefined };
    if (process.platform !== 'linux') {
      const message = 'snapshots of a workspace need Linux';
      return { kind: 'not-held', problem: new SallyportError('Unavailable', { message }) };
    }
    const live: LiveRun = {
      run,
      path,
      lastAt: Date.now(),
      last: undefined,
      taking: undefined,
      ending: undefined,
    };
    this.#live.set(run.id, live);
    try {
      const isQuiet = run.kind === 'run' && this.within(path).length === 1;
      return { kind: 'held', snapshot: await this.#take(live, 'start', isQuiet) };
    } catch (error) {
      this.#live.delete(run.id);
      return { kind: 'not-held', problem: sentence(error) };
    }
  }

  /** Holds the workspace before a command that destroys, within `ms`. Never rejects: what is not known to be held is not. */
  async before(run: string, destroyed: Destroyed, ms: number): Promise<HeldBefore> {
    const live = this.#live.get(run);
    if (live === undefined) return { kind: 'not-held', why: 'this session has no snapshots' };
    try {
      const held = await within(this.#holdBefore(live, destroyed), ms);
      return held === 'late' ? { kind: 'not-held', why: lateFor(ms) } : held;
    } catch (error) {
      return { kind: 'not-held', why: sentence(error).message };
    }
  }

  /** Holds what the agent left, once it is gone. */
  async end(run: string, isQuiet: boolean): Promise<void> {
    const live = this.#live.get(run);
    if (live !== undefined) live.ending ??= this.#end(live, isQuiet);
    await live?.ending;
  }

  /** The same, and what the agent did, as far as that is known. */
  async endAndSay(run: string, isQuiet: boolean): Promise<RunChanges | undefined> {
    const path = this.#live.get(run)?.path;
    await this.end(run, isQuiet);
    if (path === undefined) return undefined;
    const changes = await this.#parts.processes.do(path, 'changes', { run }).catch(() => null);
    return changes ?? undefined;
  }

  /** Removes the snapshots of a workspace that are too old or too many. */
  async prune(path: string): Promise<{ readonly removed: number; readonly bytes: number }> {
    const { keep_runs: keepRuns, keep_days: days } = this.#parts.config();
    const retention = { keepRuns, keepMs: days * DAY_MS };
    return this.#parts.processes.do(path, 'prune', { retention, live: this.ids });
  }

  close(): void {
    clearInterval(this.#looking);
    this.#live.clear();
  }

  async #end(live: LiveRun, isQuiet: boolean): Promise<void> {
    const { run, path } = live;
    const { processes, onFailed } = this.#parts;
    const late = setTimeout(() => processes.giveUp(path), END_MS);
    try {
      await this.#take(live, 'end', isQuiet && this.within(path).length === 1);
      void this.prune(path).catch(onFailed);
    } catch {
      // What went wrong is in the trail.
    } finally {
      clearTimeout(late);
      this.#live.delete(run.id);
    }
  }

  #takeDue(): void {
    const every = durationMs(this.#parts.config().every);
    for (const live of this.#live.values()) {
      if (live.taking !== undefined || live.ending !== undefined || Date.now() - live.lastAt < every)
        continue;
      // What went wrong is in the trail.
      void this.#take(live, 'timed', false).catch(() => undefined);
    }
  }

  async #holdBefore(live: LiveRun, destroyed: Destroyed): Promise<HeldBefore> {
    const { run, path } = live;
    const holding = this.#parts.processes.do(path, 'hold', { run, destroyed });
    const { id } = await this.#noted(
      live,
      'before',
      holding.then(({ snapshot }) => snapshot),
    );
    const { missing } = await holding;
    if (missing === null) return { kind: 'held', snapshot: id };
    return { kind: 'not-held', why: `\`${missing.path}\` is in no snapshot: ${missing.why}` };
  }

  async #take(live: LiveRun, kind: SnapshotKind, isQuiet: boolean): Promise<Snapshot> {
    const { run, path } = live;
    return this.#noted(live, kind, this.#parts.processes.do(path, 'take', { run, kind, isQuiet }));
  }

  async #noted(live: LiveRun, kind: SnapshotKind, taking: Promise<Snapshot>): Promise<Snapshot> {
    live.taking = taking;
    live.lastAt = Date.now();
    try {
      const snapshot = await taking;
      // Nothing changed since: it is an earlier one.
      if (snapshot.id !== live.last) this.#record(live, snapshot);
      live.last = snapshot.id;
      return snapshot;
    } catch (error) {
      const { message } = sentence(error);
      this.#note(live, 'WorkspaceEvent::SnapshotFailed', { kind, reason: message });
      throw error;
    } finally {
      if (live.taking === taking) live.taking = undefined;
    }
  }

  #record(live: LiveRun, { id, kind, tree, files, bytes, leftOut }: Snapshot): void {
    const data = { snapshot: id, kind, digest: tree, files, bytes, left_out: leftOut };
    this.#note(live, 'WorkspaceEvent::SnapshotTaken', data);
  }

  #note(
    { run, path }: LiveRun,
    type: 'WorkspaceEvent::SnapshotTaken' | 'WorkspaceEvent::SnapshotFailed',
    data: Readonly<Record<string, string | number>>,
  ): void {
    try {
      const facts = { run: run.id, agent: run.agent, workspace: path, ...data };
      this.#parts.trail.note({ tenant: run.tenant, type, actor: { kind: 'gateway' }, data: facts });
    } catch (error) {
      // The snapshot is there whether or not it can be written down.
      this.#parts.onFailed(error);
    }
  }
}

function sentence(error: unknown): SallyportError {
  return error instanceof SallyportError ? error : new SallyportError('Internal', { cause: error });
}

/** What a promise gives, or `late` when that takes longer; it goes on all the same. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function lateFor(ms: number): string {
  return `no snapshot was ready within ${Math.ceil(ms / 1_000)} s`;
}
