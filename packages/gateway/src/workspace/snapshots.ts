import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type EventActor,
  SallyportError,
  type SnapshotList,
  type UndoOrder,
  type UndoPlanWire,
  type UndoQuestion,
  type UndoResult,
} from '@sallyport/protocol';
import type { AuditTrail } from '../audit/index.ts';
import type { SnapshotConfig } from '../config/index.ts';
import { newId } from '../shared/ids.ts';
import type { UndoRequest } from './history/workspace.ts';
import { LiveRuns } from './live-runs.ts';
import { pathIn, SessionHolds, type SessionHoldsParts } from './session-holds.ts';
import type { RunFacts, Snapshot } from './store/snapshot.ts';
import { snapshotsFolder, storeFolder } from './store/snapshot-store.ts';
import { WorkspaceProcesses } from './worker/workspace-processes.ts';

export interface SnapshotsParts extends SessionHoldsParts {
  readonly home: string;
  readonly config: () => SnapshotConfig;
  readonly trail: AuditTrail;
  /** chain of the trail for what belongs to no tenant */
  readonly systemTenant: string;
}

const GATEWAY: EventActor = { kind: 'gateway' };

/** Snapshots of workspaces, as the rest of the gateway and its operator use them. */
export class Snapshots {
  readonly runs: LiveRuns;
  /** what doors and the gate use */
  readonly sessions: SessionHolds;
  readonly #parts: SnapshotsParts;
  readonly #processes: WorkspaceProcesses;

  constructor(parts: SnapshotsParts) {
    this.#parts = parts;
    this.#processes = new WorkspaceProcesses({
      home: parts.home,
      limits: () => {
        const { max_file: maxFile, max_bytes: maxBytes, max_files: maxFiles } = parts.config();
        return { maxFile, maxBytes, maxFiles };
      },
      onRecovered: (run, isDone) => void this.#recordEnd(run, { done: isDone, was_cut_off: true }, GATEWAY),
    });
    const { config, trail, onFailed } = parts;
    this.runs = new LiveRuns({ processes: this.#processes, config, trail, onFailed });
    this.sessions = new SessionHolds(this.runs, parts);
  }

  /** What is held of the workspace that a folder belongs to. Throws `NotFound`. */
  async list(folder: string): Promise<SnapshotList> {
    return this.#processes.do(await this.#workspaceAt(folder), 'list', null);
  }

  /** What an undo would do. Changes nothing. */
  async plan(question: UndoQuestion): Promise<UndoPlanWire> {
    const { path, request } = await this.#read(question);
    return this.#processes.do(path, 'plan', { request, diff: question.diff });
  }

  /** Undoes exactly what was shown. Throws `Conflict` when an agent is at work there, or what was shown holds no more. */
  async undo(order: UndoOrder, by: EventActor): Promise<UndoResult> {
    const { path, request } = await this.#read(order);
    const { run, snapshot } = await this.#processes.do(path, 'plan', { request, diff: false });
    const id = newId('undo');
    const tenant = await this.#tenantOf(path, run.id);
    const facts: RunFacts = { id, tenant, agent: run.id, kind: 'undo' };
    const data = { undo: id, run: run.id, snapshot: snapshot.id, workspace: path, force: request.force };
    await this.#parts.trail.append({ tenant, type: 'WorkspaceEvent::UndoBegun', actor: by, data });
    const what = { request, digest: order.digest, run: facts };
    try {
      const { tenant: _, of: __, to: ___, ...result } = await this.#processes.do(path, 'undo', what);
      const { done, counts, meanwhile, problem } = result;
      await this.#recordEnd(facts, { done, ...counts, meanwhile: meanwhile.length, problem }, by);
      return result;
    } catch (error) {
      const problem = error instanceof SallyportError ? error.message : 'something went wrong';
      await this.#recordEnd(facts, { done: false, problem }, by);
      throw error;
    }
  }

  /** Removes what is too old or too many, in every workspace. */
  async prune(by: EventActor): Promise<{ removed: number; bytes: number }> {
    const total = { removed: 0, bytes: 0 };
    for (const { path } of await this.#all()) {
      const { removed, bytes } = await this.runs.prune(path);
      total.removed += removed;
      total.bytes += bytes;
    }
    const { systemTenant: tenant, trail } = this.#parts;
    await trail.append({ tenant, type: 'WorkspaceEvent::SnapshotsRemoved', actor: by, data: total });
    return total;
  }

  close(): void {
    this.runs.close();
    this.#processes.close();
  }

  /** SECURITY: an undo under an agent's hands would mix its work with the old state: refused while one is at work. */
  async #read(question: Omit<UndoQuestion, 'diff'>): Promise<{ path: string; request: UndoRequest }> {
    const path = await this.#workspaceOf(question);
    const live = this.runs.within(path)[0];
    if (live !== undefined) {
      throw new SallyportError('Conflict', {
        message: `\`${live}\` is still at work in \`${path}\``,
        hint: `wait until it is done, or end it with \`sallyport sessions end ${live}\``,
      });
    }
    const paths = question.paths?.map((one) => pathIn(path, one));
    const { run, to, force } = question;
    return {
      path,
      request: {
        force,
        ...(run === undefined ? {} : { run }),
        ...(to === undefined ? {} : { to }),
        ...(paths === undefined ? {} : { paths }),
      },
    };
  }

  async #workspaceOf({ workspace, run }: Omit<UndoQuestion, 'diff'>): Promise<string> {
    if (workspace !== undefined && run === undefined) return this.#workspaceAt(workspace);
    if (run === undefined) {
      throw new SallyportError('BadRequest', {
        message: 'name a run, or the workspace whose last run it is',
      });
    }
    for (const { path, folder } of await this.#all()) if (await hasRun(folder, run)) return path;
    throw new SallyportError('NotFound', {
      message: `the run \`${run}\` has no snapshot`,
      hint: '`sallyport undo --list` shows what there is; old ones are removed after some days',
    });
  }

  /** The workspace that a folder is, or lies in. */
  async #workspaceAt(folder: string): Promise<string> {
    const real = await realpath(folder).catch(() => folder);
    for (let at = real; ; at = dirname(at)) {
      if (await isThere(join(storeFolder(this.#parts.home, at), 'workspace'))) return at;
      if (at === dirname(at)) break;
    }
    throw new SallyportError('NotFound', {
      message: `no run in \`${real}\` has a snapshot`,
      hint: '`sallyport run` takes one when it starts',
    });
  }

  async #all(): Promise<readonly { readonly path: string; readonly folder: string }[]> {
    const all = snapshotsFolder(this.#parts.home);
    const names = await readdir(all).catch(() => []);
    const found = names.map(async (name) => {
      const folder = join(all, name);
      const path = await readFile(join(folder, 'workspace'), 'utf8').catch(() => undefined);
      return path === undefined ? [] : [{ path, folder }];
    });
    return (await Promise.all(found)).flat();
  }

  async #tenantOf(path: string, run: string): Promise<string> {
    const found = await runsIn(storeFolder(this.#parts.home, path));
    return found.find((one) => one.id === run)?.tenant ?? this.#parts.systemTenant;
  }

  async #recordEnd(
    run: RunFacts,
    data: Readonly<Record<string, string | number | boolean | null>>,
    actor: EventActor,
  ): Promise<void> {
    const facts = { undo: run.id, run: run.agent, ...data };
    try {
      await this.#parts.trail.append({
        tenant: run.tenant,
        type: 'WorkspaceEvent::UndoEnded',
        actor,
        data: facts,
      });
    } catch (error) {
      // It is done whether or not that can be written down; that it began is in the trail.
      this.#parts.onFailed(error);
    }
  }
}

async function hasRun(folder: string, run: string): Promise<boolean> {
  return (await runsIn(folder)).some(({ id }) => id === run);
}

async function runsIn(folder: string): Promise<readonly RunFacts[]> {
  const names = await readdir(join(folder, 'snapshots')).catch(() => []);
  const texts = names.map((name) => readFile(join(folder, 'snapshots', name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).flatMap((text) => {
    try {
      return [(JSON.parse(text.split('\n')[0] ?? '') as Snapshot).run]; // one that is damaged has no use here
    } catch {
      return [];
    }
  });
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
