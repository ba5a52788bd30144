import { realpath } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { type Held, type HeldBefore, type LiveRuns, lateFor, within } from './live-runs.ts';
import type { RunFacts } from './store/snapshot.ts';
import { isWithin } from './tree/entry.ts';

/** A session of an agent that works in a folder of this machine, with or without a jail. */
export interface WorkspaceSession extends Pick<RunFacts, 'id' | 'tenant' | 'agent'> {
  /** absolute */
  readonly workspace: string;
}

/** What a command is about to throw away: absolute paths. */
export interface Destruction {
  /** deleted or written over; a folder stands for all that is in it */
  readonly paths: readonly string[];
  /** folders in which git is told to throw something away: the whole repository that each belongs to counts */
  readonly repositories: readonly string[];
}

/** A destructive command waits so long for its snapshot, in ms */
const HOLD_MS = 5_000;

export interface SessionHoldsParts {
  /** Calls `listener` once when the session ends, at once when it is not alive. */
  readonly onSessionEnded: (session: string, listener: () => void) => void;
  readonly onFailed: (error: unknown) => void;
  /** how long a command that destroys waits for its snapshot, in ms; 5 s unless a test says otherwise */
  readonly holdMs?: number;
}

/** Snapshots for sessions that are judged call by call: a client with a hook, an agent over MCP. */
export class SessionHolds {
  readonly #runs: LiveRuns;
  readonly #parts: SessionHoldsParts;
  /** sessions that were followed once: what could not be held is not looked through again for every call */
  readonly #followed = new Set<string>();

  constructor(runs: LiveRuns, parts: SessionHoldsParts) {
    this.#runs = runs;
    this.#parts = parts;
  }

  /**
   * Holds the workspace of a session that `sallyport run` did not start, from now on and until the session ends. May be called
   * as often as one likes; never rejects, and nobody need wait for it.
   */
  async follow(session: WorkspaceSession): Promise<void> {
    if (this.#followed.has(session.id) || this.#runs.has(session.id)) return;
    this.#followed.add(session.id);
    this.#parts.onSessionEnded(session.id, () => this.#followed.delete(session.id));
    await this.#begin(session);
  }

  /**
   * What the gate asks before a command that destroys something in a workspace: takes a snapshot now, waits up to 5 s for it,
   * and says whether it can give back all of that. `held`: undo brings it back. `not-held`: it would be lost, or nobody
   * knows; a person should be asked. Folders that are rebuilt (`node_modules`, …) count as held. Never rejects.
   */
  async holdBefore(session: WorkspaceSession, { paths, repositories }: Destruction): Promise<HeldBefore> {
    const workspace = await realpath(session.workspace).catch(() => session.workspace);
    const inside = await Promise.all([...paths, ...repositories].map((path) => placesOf(path, workspace)));
    if (inside.includes(undefined)) return { kind: 'not-held', why: 'it lies outside of the workspace' };
    const places = inside.map((found) => found ?? []);
    const destroyed = {
      paths: places.slice(0, paths.length).flat(),
      repositories: places.slice(paths.length).flat(),
    };
    const { holdMs: ms = HOLD_MS } = this.#parts;
    const begun = performance.now();
    const following = this.#runs.has(session.id) ? undefined : this.#begin(session);
    const held = following && (await within(following, ms));
    if (held === 'late') return { kind: 'not-held', why: lateFor(ms) };
    if (held?.kind === 'not-held')
      return { kind: 'not-held', why: held.problem?.message ?? 'no snapshots are taken' };
    return this.#runs.before(session.id, destroyed, Math.max(1, ms - (performance.now() - begun)));
  }

  async #begin({ id, tenant, agent, workspace }: WorkspaceSession): Promise<Held> {
    const path = await realpath(workspace).catch(() => workspace);
    const held = await this.#runs.begin({ id, tenant, agent, kind: 'hook' }, path);
    if (held.kind === 'held')
      this.#parts.onSessionEnded(id, () => void this.#runs.end(id, false).catch(this.#parts.onFailed));
    return held;
  }
}

/**
 * Where something that a command names lies in the workspace: under its own name, and under the one that it leads to.
 * Undefined when either is outside.
 */
async function placesOf(path: string, workspace: string): Promise<readonly string[] | undefined> {
  const above = await realpath(dirname(path)).catch(() => dirname(path));
  const named = resolve(above, basename(path));
  const leadsTo = await realpath(path).catch(() => named);
  if (!isWithin(named, workspace) || !isWithin(leadsTo, workspace)) return undefined;
  return [...new Set([named, leadsTo])].map((one) => pathIn(workspace, one));
}

/** Bytes of a path below the workspace. Throws `Unprocessable` for one that is not. */
export function pathIn(workspace: string, path: string): string {
  if (!isWithin(path, workspace)) {
    throw new SallyportError('Unprocessable', { message: `\`${path}\` does not lie in \`${workspace}\`` });
  }
  return Buffer.from(relative(workspace, path)).toString('latin1');
}
