import { rmSync } from 'node:fs';
import type { Ports } from '@sallyport/protocol';
import packageJson from '../package.json' with { type: 'json' };
import { createLogger, type Logger, Redactor } from './audit/index.ts';
import {
  type ConfigCheck,
  type DoctorCheck,
  groundDoctorChecks,
  type HomePaths,
  prepareHome,
  resolveHome,
  type Variables,
  writeSecretFile,
} from './config/index.ts';
import {
  createAgentApp,
  createOperatorApp,
  Metrics,
  type OperatorServices,
  type TrailReader,
} from './doors/api/index.ts';
import { writeFileAtomically } from './gateway/atomic-file.ts';
import { type CheckedConfig, checkConfigFile as checkFile } from './gateway/check-config-file.ts';
import { ConfigInForce } from './gateway/config-in-force.ts';
import { GatewayEvents } from './gateway/gateway-events.ts';
import type { GatewayOptions, RunningGateway } from './gateway/gateway-options.ts';
import { countLiveSessions, gatewayStatus, trailHeads } from './gateway/gateway-status.ts';
import { ensureConfig, ensureHomeSecrets, type HomeSecrets } from './gateway/home-files.ts';
import { takeHomeLock } from './gateway/home-lock.ts';
import { openListeners } from './gateway/listeners.ts';
import { guardProcess } from './gateway/process-guard.ts';
import { SYSTEM_TENANT } from './gateway/seed-identity.ts';
import { type GroundServices, openGround } from './gateway/services.ts';
import { Shutdown, type StopHow } from './gateway/shutdown.ts';
import { readTlsFiles } from './gateway/tls-files.ts';
import { verifyReport } from './gateway/verify-report.ts';
import { OperatorToken } from './identity/index.ts';
import { type Clock, systemClock } from './shared/clock.ts';
import { SessionsRepository } from './store/index.ts';

const VERSION = packageJson.version;
const HEARTBEAT_MS = 15_000;

/** Checks that modules add to the config's own. One line for each module that has some. */
export const configChecks: readonly ConfigCheck[] = [];

/** What `sallyport doctor` looks at. One line for each module that adds checks. */
export const doctorChecks: readonly DoctorCheck[] = [...groundDoctorChecks];

/** Judges a config file as this gateway would. */
export function checkConfigFile(file: string, env: Variables): CheckedConfig {
  return checkFile(file, env, configChecks);
}

/**
 * Starts a gateway: prepares the home, takes it, opens the ground floor, listens, and only then returns.
 *
 * Rejects with a `SallyportError` that says what is wrong and what to do; nothing stays open, locked or
 * listening after that.
 */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const stack = new AsyncDisposableStack();
  try {
    return await start(options, stack);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function start(options: GatewayOptions, stack: AsyncDisposableStack): Promise<RunningGateway> {
  const { env, clock = systemClock } = options;
  const paths = resolveHome(env, {
    ...(options.home === undefined ? {} : { home: options.home }),
    ...(options.configFile === undefined ? {} : { config: options.configFile }),
  });
  prepareHome(paths);
  const lock = takeHomeLock(paths.home);
  stack.defer(() => lock.release());

  const firstStart = ensureConfig(paths, env);
  const config = new ConfigInForce({ file: paths.config, env, checks: configChecks, clock });
  const secrets = ensureHomeSecrets(paths);
  const redactor = new Redactor();
  for (const secret of Object.values(secrets)) redactor.learn(secret);
  const log = createLogger({
    level: config.config.log.level,
    redactor,
    destination: options.log ?? process.stderr,
  });

  const stopping = new AbortController();
  const outlets = { paths, env, clock, redactor, stdout: process.stdout, signal: stopping.signal };
  const onClose = (close: () => Promise<void>): void => stack.defer(close);
  const ground = await openGround({ paths, config, clock, redactor, log, outlets, onClose });
  const events = new GatewayEvents(ground.trail, log);

  // The routes know how to stop and what is open before either exists; both are there before any request.
  const late: Late = { stop: () => {}, ports: { api: 0, operator: 0 } };
  const parts: Parts = { options, paths, config, secrets, clock, log, ground, stopping, late };
  const services = operatorServices(parts);
  const listeners = await openListeners({
    agentApp: await createAgentApp(services),
    operatorApp: await createOperatorApp(services),
    api: config.config.api,
    ports: options.ports ?? {},
    socketPath: paths.operatorSocket,
    limits: options.limits,
  });
  const { ports } = listeners;
  stack.defer(() => listeners.close());
  const shutdown = new Shutdown({ listeners, events, log, stack, stopping });
  const stop = (how: StopHow): Promise<void> => shutdown.stop(how);
  late.ports = ports;
  late.stop = (how) => void stop(how);

  await events.started(VERSION, ports, config.current);
  stack.defer(() => config.close());
  config.watch(events);
  writeFileAtomically(paths.runtime, `${JSON.stringify({ pid: process.pid, ports })}\n`);
  stack.defer(() => rmSync(paths.runtime, { force: true }));
  if (options.ownsProcess !== false) stack.defer(guardProcess(log, () => stop('stopped')));
  if (options.signal?.aborted) await stop('stopped');
  options.signal?.addEventListener('abort', () => late.stop('stopped'), { once: true });

  const scheme = config.config.api.tls === undefined ? 'http' : 'https';
  const host = urlHost(config.config.api.host);
  return {
    ports,
    urls: { api: `${scheme}://${host}:${ports.api}`, operator: `${scheme}://${host}:${ports.operator}` },
    home: paths,
    firstStart,
    closed: shutdown.closed,
    close: () => stop('stopped'),
    async killNow() {
      await services.gateway.endAllSessions();
      await stop('killed');
    },
  };
}

interface Late {
  stop: (how: StopHow) => void;
  ports: Ports;
}

interface Parts {
  readonly options: GatewayOptions;
  readonly paths: HomePaths;
  readonly config: ConfigInForce;
  readonly secrets: HomeSecrets;
  readonly clock: Clock;
  readonly log: Logger;
  readonly ground: GroundServices;
  readonly stopping: AbortController;
  readonly late: Late;
}

/** Everything the routes of both sides are handed. */
function operatorServices(parts: Parts): OperatorServices {
  const { options, paths, config, clock, log, ground, late } = parts;
  const { store, sessions, keys, enrollment, trail } = ground;
  const startedAt = clock.now();
  const tls = readTlsFiles(config.config.api, paths.home);
  return {
    version: VERSION,
    clock,
    log,
    metrics: createMetrics(parts),
    sessions,
    config,
    operatorToken: new OperatorToken(parts.secrets.operatorToken),
    keys,
    enrollment,
    allSessions: new SessionsRepository(store),
    trail: trailReader(parts),
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(tls === undefined ? {} : { tls }),
    gateway: {
      stopping: parts.stopping.signal,
      stop: (how) => late.stop(how),
      endAllSessions: () => sessions.endAll('kill switch', { kind: 'operator', via: 'kill switch' }),
      saveEnrollmentSecret(tenant, secret) {
        if (tenant === SYSTEM_TENANT) writeSecretFile(paths.enrollmentSecret, secret);
      },
      status: () =>
        gatewayStatus({
          version: VERSION,
          home: paths.home,
          ports: late.ports,
          startedAt,
          clock,
          store,
          config,
          trail,
        }),
    },
  };
}

/** The trail as routes see it: everything but writing. */
function trailReader({ config, paths, ground: { store, trail } }: Parts): TrailReader {
  return {
    read: (query) => trail.read(query),
    get: (id, tenant) => trail.get(id, tenant),
    export: (query) => trail.export(query),
    subscribe: (from) => trail.subscribe(from),
    verify: (tenant) =>
      verifyReport({ store, paths, config: config.config, publicKey: trail.publicKey }, tenant),
  };
}

function createMetrics({ config, ground: { store, trail }, clock }: Parts): Metrics {
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

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
