import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import {
  type EventActor,
  type NewRunSchema,
  type RunSummary,
  SallyportError,
  type StartedRun,
  type TakenBackWire,
} from '@sallyport/protocol';
import type { z } from 'zod';
import type { AuditTrail } from '../audit/index.ts';
import { credentialsOfAgent, type HomePaths, type Variables } from '../config/index.ts';
import type { OpenedSession, SessionFacts, Sessions } from '../identity/index.ts';
import type { ConfigControl, OpenRun, RunControl, RunEnding, TrailReader } from '../servers/index.ts';
import type { SessionsRepository } from '../store/index.ts';
import type { Held, Snapshots } from '../workspace/index.ts';
import { RunFolders } from './run-folder.ts';
import { type RunLoginParts, runLogin } from './run-login.ts';
import { openRunSockets, type RunDoors, type RunSockets } from './run-sockets.ts';
import { runSummary } from './run-summary.ts';

/** Where a jailed agent finds proxy and API: its network is its own, so these are always free. */
const INSIDE = { proxy: 7181, api: 7180 } as const;
const GATEWAY: EventActor = { kind: 'gateway' };

export interface RunsParts {
  readonly paths: Pick<HomePaths, 'home' | 'caCertificate'>;
  readonly env: Variables;
  readonly config: ConfigControl;
  readonly sessions: Pick<Sessions, 'open' | 'end' | 'prolong' | 'peek' | 'onEnded'>;
  readonly allSessions: Pick<SessionsRepository, 'findOfAnyTenant'>;
  readonly trail: Pick<TrailReader, 'read'> & Pick<AuditTrail, 'note'>;
  readonly lending: Pick<RunLoginParts, 'broker' | 'placeholders'>;
  readonly providersOf: (tenant: string) => RunLoginParts['providers'];
  /** built after this; asked for with each run */
  readonly doors: () => RunDoors;
  /** ports that are open on this machine */
  readonly ports: () => Readonly<Record<'proxy' | 'api' | 'operator', number>>;
  readonly snapshots: Pick<Snapshots, 'runs'>;
  readonly onFailed: (error: unknown) => void;
}

const NOT_HELD: Held = { kind: 'not-held', problem: undefined };
/** A jail whose keeper was killed ends within this time, in ms */
const LAST_BREATH_MS = 500;

/** Sessions that live as long as somebody holds them: what `sallyport run` opens. */
export class Runs implements RunControl {
  readonly #parts: RunsParts;
  readonly #folders: RunFolders;
  // process-local: runs that this process began
  readonly #open = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(parts: RunsParts) {
    this.#parts = parts;
    this.#folders = new RunFolders(parts.paths.home, parts.env);
  }

  /** Ends what a gateway that died left alive, and removes its sockets. Before anything listens. */
  async clear(): Promise<void> {
    for (const session of this.#folders.clear()) {
      try {
        await this.#parts.sessions.end(session, 'the gateway died', GATEWAY);
      } catch (error) {
        // A session that another store has is not ours to end.
        if (!(error instanceof SallyportError) || error.code !== 'NotFound') throw error;
      }
    }
  }

  async start(request: z.infer<typeof NewRunSchema>, by: EventActor): Promise<OpenRun> {
    if (this.#isClosed) throw new SallyportError('Unavailable', { message: 'the gateway is stopping' });
    const { sessions } = this.#parts;
    this.#checkForward(request);
    const opened = await sessions.open({ ...this.#whoRuns(request), by });
    const { session } = opened;
    // Complete before the agent's first instruction: nothing is started before this is answered [WO-1].
    const holding = this.#holdWorkspace(opened.session, request.workspace);
    let sockets: RunSockets | undefined;
    try {
      if (request.confinement === 'jailed') {
        const folder = this.#folders.make(session.id);
        const now = (): SessionFacts | undefined => sessions.peek(session.id);
        sockets = await openRunSockets(folder, now, this.#parts.doors(), request.forward);
      }
    } catch (error) {
      this.#folders.remove(session.id);
      await sessions.end(session.id, 'the run could not be set up', GATEWAY);
      await holding;
      await this.#parts.snapshots.runs.end(session.id, true);
      throw error;
    }
    return this.#hold(opened, sockets, this.#describe(opened, sockets, request.client, await holding));
  }

  async end(id: string, { reason, by, withSummary, takenBack }: RunEnding): Promise<RunSummary | null> {
    if (takenBack.length > 0) await this.#noteTakenBack(id, by, takenBack);
    // Whoever says so has seen the end of the agent.
    const { runs } = this.#parts.snapshots;
    const changes = withSummary ? runs.endAndSay(id, true) : runs.end(id, true);
    await this.#parts.sessions.end(id, reason, by);
    await this.#open.get(id);
    // What the person does from now on is the person's [WO-4]: until then nobody is told that it is over.
    const made = (await changes) ?? null;
    return withSummary ? { ...(await this.summary(id)), changes: made, taken_back: [...takenBack] } : null;
  }

  async #noteTakenBack(id: string, by: EventActor, takenBack: readonly TakenBackWire[]): Promise<void> {
    const record = await this.#parts.allSessions.findOfAnyTenant(id);
    if (record === undefined) return;
    const data = {
      run: id,
      agent: record.agent,
      count: takenBack.length,
      places: takenBack.map(({ path, why, times }) => ({ path, why, times })),
    };
    this.#parts.trail.note({
      ...{ tenant: record.tenant, type: 'WorkspaceEvent::PlantsTakenBack', actor: by, data },
    });
  }

  async summary(id: string): Promise<RunSummary> {
    const record = await this.#parts.allSessions.findOfAnyTenant(id);
    if (record === undefined) throw new SallyportError('NotFound', { message: 'there is no such session' });
    return runSummary(this.#parts.trail, record);
  }

  /** Ends every run; nothing of them is left when this is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const id of this.#open.keys()) {
      await this.#parts.sessions.end(id, 'the gateway stopped', GATEWAY).catch(this.#parts.onFailed);
    }
    await Promise.all(this.#open.values());
  }

  /** SECURITY: the gateway's own listeners are no target of an agent, whoever opens them [ID-1]. */
  #checkForward({ forward, confinement }: z.infer<typeof NewRunSchema>): void {
    if (forward.length === 0) return;
    if (confinement !== 'jailed') {
      throw new SallyportError('Unprocessable', {
        message: 'an unconfined run reaches every port of this machine',
        hint: 'leave out `--forward`, or `--unconfined`',
      });
    }
    const own = [...Object.values(this.#parts.ports()), ...Object.values(INSIDE)];
    const taken = forward.find((port, index) => own.includes(port) || forward.indexOf(port) !== index);
    if (taken === undefined) return;
    throw new SallyportError('Unprocessable', {
      message: `the port ${taken} cannot be forwarded: it is the gateway's own, or named twice`,
      hint: 'forward the port of another program, once',
    });
  }

  #whoRuns({ tenant, agent, user, confinement, workspace }: z.infer<typeof NewRunSchema>) {
    const { config } = this.#parts.config;
    const policy = Object.hasOwn(config.tenants, tenant) ? config.tenants[tenant] : undefined;
    if (policy === undefined) {
      throw new SallyportError('NotFound', { message: `there is no tenant \`${tenant}\`` });
    }
    const who = { agent: agent ?? policy.default_agent, user: user ?? policy.default_user };
    if (who.agent === undefined || who.user === undefined) {
      const missing = who.agent === undefined ? 'agent' : 'user';
      throw new SallyportError('Unprocessable', {
        message: `tenant \`${tenant}\` has no default ${missing}`,
        hint: `set \`default_${missing}\` of the tenant${missing === 'agent' ? ', or name one with `--agent`' : ''}`,
      });
    }
    const credentials = credentialsOfAgent(config, tenant, who.agent);
    return { tenant, agent: who.agent, user: who.user, confinement, credentials, workspace };
  }

  async #holdWorkspace({ id, tenant, agent }: SessionFacts, workspace: string | undefined): Promise<Held> {
    if (workspace === undefined || !isAbsolute(workspace)) return NOT_HELD;
    const path = await realpath(workspace).catch(() => workspace);
    return this.#parts.snapshots.runs.begin({ id, tenant, agent, kind: 'run' }, path);
  }

  #describe(
    { session, token }: OpenedSession,
    sockets: RunSockets | undefined,
    client: string | undefined,
    held: Held,
  ): { readonly facts: Omit<StartedRun, 'session_token'>; readonly token: OpenedSession['token'] } {
    const { config, lending, providersOf, paths, ports } = this.#parts;
    const providers = providersOf(session.tenant);
    const login = runLogin({ config: config.config, providers, ...lending }, session, client);
    const { id, tenant, user, agent, confinement } = session;
    return {
      token,
      facts: {
        kind: 'started',
        session_id: id,
        ...{ tenant, user, agent, confinement },
        sockets:
          sockets === undefined
            ? null
            : { proxy: sockets.proxy, api: sockets.api, forward: [...sockets.forward] },
        ports: sockets === undefined ? { proxy: ports().proxy, api: ports().api } : INSIDE,
        ca_file: paths.caCertificate,
        env: { ...login.env },
        login: login.login,
        login_token: login.loginToken,
        asks: channelsOf(config.config.channels),
        tip: login.tip,
        snapshot: held.kind === 'held' ? held.snapshot.id : null,
        snapshot_problem: held.kind === 'held' ? null : sentence(held.problem),
      },
    };
  }

  /** The session lives, and is renewed, until `release` or until somebody ends it. */
  #hold(
    { session }: OpenedSession,
    sockets: RunSockets | undefined,
    described: Pick<OpenRun, 'facts' | 'token'>,
  ): OpenRun {
    const { sessions, onFailed } = this.#parts;
    const { id } = session;
    const renewing = setInterval(
      () => void sessions.prolong(id).catch(onFailed),
      Math.max(1_000, (session.expiresAt - session.createdAt) / 3),
    ).unref();
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    const clean = ended.then(() => {
      clearInterval(renewing);
      sockets?.close();
      this.#folders.remove(id);
      this.#open.delete(id);
    });
    this.#open.set(id, clean);
    sessions.onEnded(id, resolve);
    return {
      ...described,
      ended,
      release: async (by) => {
        await sessions.end(id, 'the run ended', by).catch(onFailed);
        await clean;
        // Most have said before that the agent ended; one that was killed has not, and its agent ends about now.
        await after(LAST_BREATH_MS, undefined, { ref: false });
        await this.#parts.snapshots.runs.end(id, false);
      },
    };
  }
}

function sentence(problem: SallyportError | undefined): string | null {
  if (problem === undefined) return null;
  return problem.hint === undefined ? problem.message : `${problem.message}; ${problem.hint}`;
}

/** Where questions go besides the terminal. */
function channelsOf(channels: object): string[] {
  return Object.entries(channels).flatMap(([name, settings]) => (settings === undefined ? [] : [name]));
}
