import { SallyportError } from '@sallyport/protocol';
import type { Logger } from '../audit/index.ts';
import { type HomePaths, writeSecretFile } from '../config/index.ts';
import { HookDoor } from '../doors/hook/index.ts';
import { OperatorToken } from '../identity/index.ts';
import { Runs } from '../runs/index.ts';
import {
  type Listeners,
  listenerUrls,
  Metrics,
  openListeners,
  readTlsFiles,
  type TrailReader,
} from '../servers/index.ts';
import type { Clock } from '../shared/clock.ts';
import { SessionsRepository } from '../store/index.ts';
import { createAgentApp, createPlainConnections } from './agent-side.ts';
import type { ApprovalServices } from './approval-services.ts';
import { caControl } from './ca-control.ts';
import type { ConfigInForce } from './config-in-force.ts';
import type { GateServices } from './gate-services.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { countLiveSessions, gatewayStatus, trailHeads } from './gateway-status.ts';
import type { HomeSecrets } from './home-files.ts';
import { lazyOAuth } from './lazy-oauth.ts';
import { lazySeal } from './lazy-seal.ts';
import type { LazyToolPlane } from './lazy-tool-plane.ts';
import { createOperatorApp } from './operator-side.ts';
import type { PolicyParts } from './policy-parts.ts';
import { buildProxyDoor } from './proxy-front.ts';
import { recordRefusedAgents } from './refused-agents.ts';
import { SYSTEM_TENANT } from './seed-identity.ts';
import type { GroundServices } from './services.ts';
import type { StopHow } from './shutdown.ts';
import type { OperatorSideServices } from './side-services.ts';
import { verifyReport } from './verify-report.ts';
import type { WayOut } from './way-out.ts';

const HEARTBEAT_MS = 15_000;

export interface DoorParts {
  readonly version: string;
  readonly options: GatewayOptions;
  readonly paths: HomePaths;
  readonly config: ConfigInForce;
  readonly secrets: HomeSecrets;
  readonly clock: Clock;
  readonly log: Logger;
  readonly ground: GroundServices;
  readonly gate: GateServices;
  readonly approvals: ApprovalServices;
  readonly wayOut: WayOut;
  readonly policy: PolicyParts;
  readonly tools: LazyToolPlane;
  /** aborts when the gateway begins to stop */
  readonly stopping: AbortSignal;
  /** Begins to stop and returns at once. */
  readonly stop: (how: StopHow) => void;
  /** Ends every session of every tenant; how many were alive. */
  readonly endAllSessions: () => Promise<number>;
}

/** Doors that are built and wait to be opened. */
export interface Doors {
  open(): Promise<Listeners>;
}

/** Builds both sides. Nothing listens before `open`. */
export async function buildDoors(parts: DoorParts): Promise<Doors> {
  const { options, config, paths } = parts;
  let ports = { api: 0, proxy: 0, operator: 0 };
  const runs = buildRuns(
    parts,
    () => ports,
    () => ({ agentApp, proxy }),
  );
  const services = operatorServices(parts, () => ports, runs);
  const [agentApp, operatorApp] = await Promise.all([createAgentApp(services), createOperatorApp(services)]);
  await Promise.all([agentApp.ready(), operatorApp.ready()]);
  const proxy = buildProxyDoor({
    ...{ paths, config, clock: parts.clock, log: parts.log, ground: parts.ground, wayOut: parts.wayOut },
    policies: () => parts.gate.policies(),
    parts: parts.policy,
    gate: parts.approvals.gate,
  });
  return {
    async open() {
      await runs.clear();
      const listeners = await openListeners({
        agentApp,
        operatorApp,
        plain: createPlainConnections(services),
        agentProcesses: parts.ground.agentProcesses,
        proxy,
        api: config.config.api,
        ports: options.ports ?? {},
        socketPath: paths.operatorSocket,
        limits: options.limits,
      });
      ports = listeners.ports;
      return {
        ...listeners,
        async close() {
          await runs.close();
          await listeners.close();
        },
      };
    },
  };
}

function buildRuns(
  parts: DoorParts,
  ports: () => Listeners['ports'],
  doors: ConstructorParameters<typeof Runs>[0]['doors'],
): Runs {
  const { paths, options, config, ground, gate, wayOut, log } = parts;
  return new Runs({
    ...{ paths, env: options.env, config, sessions: ground.sessions, trail: ground.trail, lending: wayOut },
    allSessions: new SessionsRepository(ground.store),
    providersOf: (tenant) => gate.policies().policyOf(tenant)?.providers ?? [],
    doors,
    ports,
    onFailed: (error) => log.error({ err: error }, 'a run could not be carried on'),
  });
}

/** Everything the routes of both sides are handed. */
function operatorServices(
  parts: DoorParts,
  ports: () => Listeners['ports'],
  runs: Runs,
): OperatorSideServices {
  const { version, options, paths, config, clock, log, ground } = parts;
  const { store, sessions, keys, enrollment, trail } = ground;
  const startedAt = clock.now();
  // As it is now: a change holds from the next start on.
  const { api } = config.config;
  const tls = readTlsFiles(api, paths.home);
  const seal = lazySeal({ paths, config, ground, tools: parts.tools, clock, boot: startedAt });
  return {
    version,
    clock,
    log,
    metrics: createMetrics(parts),
    sessions,
    config,
    trouble: () => trail.trouble(),
    operatorToken: new OperatorToken(parts.secrets.operatorToken),
    agentProcesses: ground.agentProcesses,
    onAgentRefused: recordRefusedAgents(ground, clock, log),
    keys,
    enrollment,
    allSessions: new SessionsRepository(store),
    trail: trailReader(parts),
    desk: parts.gate.desk,
    lending: parts.wayOut,
    runs,
    ca: caControl(parts.wayOut.authority, trail),
    grants: parts.gate.grants,
    gate: parts.approvals.gate,
    mcp: () => {
      const plane = parts.tools.open();
      return plane instanceof Promise ? plane.then(({ mcp }) => mcp) : plane.mcp;
    },
    mcpServers: async () => (await parts.tools.open()).servers,
    oauth: lazyOAuth({
      ...{ config, ground, clock, log, stopping: parts.stopping },
      gate: parts.approvals.gate,
      operatorToken: parts.secrets.operatorToken,
    }),
    seal,
    workloads: seal,
    hooks: new HookDoor({
      gate: parts.approvals.gate,
      builderFor: (tenant) => parts.gate.builderFor(tenant),
      toolsReady: () => parts.tools.open(),
      clock,
      version,
      stopping: parts.stopping,
      onProblem: (error) => log.error({ err: error }, 'a hook could not be answered'),
    }),
    approvals: parts.approvals.open,
    inboxSecret: parts.secrets.inboxSecret,
    stopping: parts.stopping,
    channelWays: parts.approvals.channels,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(tls === undefined ? {} : { tls }),
    gateway: {
      stopping: parts.stopping,
      stop: parts.stop,
      endAllSessions: parts.endAllSessions,
      saveEnrollmentSecret(tenant, secret) {
        if (tenant === SYSTEM_TENANT) writeSecretFile(paths.enrollmentSecret, secret);
      },
      status: () =>
        gatewayStatus({
          ...{ version, home: paths.home, startedAt, clock, store, config, trail },
          ports: ports(),
          urls: listenerUrls(api, ports()),
        }),
    },
  };
}

/** The trail as routes see it: everything but writing. */
function trailReader({ config, paths, ground: { store, trail } }: DoorParts): TrailReader {
  return {
    read: (query) => trail.read(query),
    get: (id, tenant) => trail.get(id, tenant),
    export: (query) => trail.export(query),
    subscribe: (from) => trail.subscribe(from),
    verify: async (tenant) => {
      // Another file than the one that is open would be judged.
      const lost = store.problem();
      if (lost !== undefined) throw new SallyportError('StoreUnusable', lost);
      return verifyReport({ store, paths, config: config.config, publicKey: trail.publicKey }, tenant);
    },
  };
}

function createMetrics({ config, ground: { store, trail }, clock }: DoorParts): Metrics {
  const metrics = new Metrics();
  metrics.gauge('sallyport_sessions_live', 'sessions that are alive', () =>
    countLiveSessions(store, clock.now()),
  );
  metrics.gauge('sallyport_audit_events', 'events in the trail, of all tenants', async () => {
    const heads = await trailHeads(trail, Object.keys(config.config.tenants));
    return heads.reduce((sum, { seq }) => sum + seq, 0);
  });
  metrics.gauge('sallyport_audit_queue_events', 'events that wait to be stored', () => trail.health.queued);
  metrics.gauge('sallyport_audit_sink_lag_events', 'events that the slowest sink does not have yet', () =>
    Math.max(0, ...trail.health.sinks.map(({ lag }) => lag)),
  );
  return metrics;
}
