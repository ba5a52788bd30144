import { rmSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { loadPolicyParts, openApprovalServices, openGateServices } from './admission/index.ts';
import { CHANNELS } from './approvals/index.ts';
import { createLogger, environmentSecrets, Redactor } from './audit/index.ts';
import { LazyToolPlane } from './calls/lazy-tool-plane.ts';
import { takeHomeLock } from './config/home-lock.ts';
import {
  type CheckedConfig,
  type ConfigCheck,
  checkConfigFile as checkFile,
  type DoctorCheck,
  groundDoctorChecks,
  type HomePaths,
  prepareHome,
  resolveHome,
  type Variables,
} from './config/index.ts';
import { writeFileAtomically } from './config/secret-file.ts';
import { createThisMachine } from './egress/this-machine.ts';
import { openWayOut } from './executors/way-out.ts';
import { peersDoctorCheck, serversDoctorCheck } from './gateway/doctor-checks.ts';
import type { DoorParts } from './gateway/door-parts.ts';
import { GatewayEvents } from './gateway/gateway-events.ts';
import type { GatewayOptions, RunningGateway } from './gateway/gateway-options.ts';
import type { Doors } from './gateway/open-doors.ts';
import { guardProcess } from './gateway/process-guard.ts';
import { Shutdown, type StopHow } from './gateway/shutdown.ts';
import {
  ConfigInForce,
  ensureConfig,
  ensureHomeSecrets,
  finishRestore,
  openGround,
  readSecret,
  SYSTEM_TENANT,
  seedIdentity,
} from './ground/index.ts';
import { jailDoctorCheck } from './sandbox/backends.ts';
import type { Listeners } from './servers/listeners.ts';
import { listenerUrls } from './servers/listeners.ts';
import { systemClock } from './shared/clock.ts';
import type { Secret } from './shared/secret.ts';

const VERSION = packageJson.version;

/** Checks that modules add to the config's own. One line for each module that has some. */
export function configChecks(paths: HomePaths, env: Variables): readonly ConfigCheck[] {
  return [loadPolicyParts(paths, env).check];
}

/** What `sallyport doctor` looks at: the ground floor, every door, and one line for each module that adds checks. */
export async function doctorChecks(): Promise<readonly DoctorCheck[]> {
  const { doorChecks } = await import('./doors/index.ts');
  return [
    ...groundDoctorChecks,
    ...doorChecks(),
    jailDoctorCheck,
    peersDoctorCheck,
    serversDoctorCheck,
    ...Object.values(CHANNELS).flatMap(({ doctor }) => doctor),
  ];
}

/** Judges a config file as this gateway would. */
export function checkConfigFile(file: string, paths: HomePaths, env: Variables): CheckedConfig {
  return checkFile(file, env, configChecks(paths, env));
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
  // A `sallyport restore` that was killed: its backup is whole, and half of it may be in place.
  finishRestore(paths.home);
  // A run that was killed left its own: nobody may take those ports for ours.
  rmSync(paths.runtime, { force: true });

  const firstStart = ensureConfig(paths, env);
  const policy = loadPolicyParts(paths, env);
  const config = new ConfigInForce({ file: paths.config, env, checks: [policy.check], clock });
  const secrets = ensureHomeSecrets(paths);
  const redactor = new Redactor();
  for (const secret of [...Object.values(secrets), ...environmentSecrets(env)]) redactor.learn(secret);
  const log = createLogger({
    level: config.config.log.level,
    redactor,
    destination: options.log ?? process.stderr,
  });

  // Whoever wants it stopped while it starts (a signal, a very early request) waits until it has.
  const down = Promise.withResolvers<Shutdown>();
  const stop = async (how: StopHow): Promise<void> => (await down.promise).stop(how);
  if (options.ownsProcess !== false) stack.defer(guardProcess(log, () => stop('stopped')));

  const stopping = new AbortController();
  const outlets = { paths, env, clock, redactor, stdout: process.stdout, signal: stopping.signal };
  const onClose = (close: () => Promise<void>): void => stack.defer(close);
  const ground = await openGround({ paths, config, clock, log, redactor, outlets, lock, onClose });
  const gate = openGateServices({ parts: policy, config, ground, clock, env, log, redactor, onClose });
  const events = new GatewayEvents(ground.trail, log);
  let operatorUrl = '';
  let open: Listeners | undefined;
  const wayOut = openWayOut({
    ...{ paths, config, clock, env, log, redactor, onClose },
    trail: ground.trail,
    sessions: ground.sessions,
    operatorToken: secrets.operatorToken,
    ports: () => open?.ports,
    onCommand: (pid) => ground.agentProcesses.addServer('ssh', pid),
  });
  const named = (name: string, signal: AbortSignal): Promise<Secret> =>
    wayOut.broker.secretOf(SYSTEM_TENANT, name, signal);
  const approvals = await openApprovalServices({
    ground,
    gate,
    channels: {
      ...{ paths, env, clock, log, redactor, signal: stopping.signal, operatorToken: secrets.operatorToken },
      config: () => config.config,
      operatorUrl: () => operatorUrl,
      named,
    },
    credentials: wayOut.broker,
    knowsTool: (tool) => tools.knows(tool),
    showsTool: (actor, name) => tools.shows(actor, name),
    skipsJudge: (tool) => tools.skipsJudge(tool),
    machine: createThisMachine(() => open?.ports, clock),
    onClose,
    gatherMs: options.gatherMs,
  });
  config.follow(approvals.channels);
  const tools: LazyToolPlane = new LazyToolPlane({
    isNeeded: () => config.config.mcp_servers.length > 0,
    onProblem: (error) => log.error({ err: error }, 'tools could not be set up'),
    load: async () => {
      const { openToolPlane } = await import('./calls/tool-plane.ts');
      return openToolPlane({
        ...{ paths, config, env, clock, log, store: ground.store, trail: ground.trail },
        policies: () => gate.policies(),
        builderFor: (tenant) => gate.builderFor(tenant),
        gate: approvals.gate,
        egress: wayOut.egress,
        credentials: wayOut.broker,
        onProcess: (server, pid) => ground.agentProcesses.addServer(server, pid),
        systemTenant: SYSTEM_TENANT,
        readSecret: (reference, signal) => readSecret(reference, { paths, env, redactor, signal, named }),
      });
    },
  });
  onClose(() => tools.close());
  const endAllSessions = async (): Promise<number> => {
    await approvals.open.approvals.withdrawAll('withdrawn');
    return ground.sessions.endAll('kill switch', { kind: 'operator', via: 'kill switch' });
  };

  // The trail's writer is a thread that takes a while to come up: the doors are loaded and built meanwhile.
  const [doors] = await Promise.all([
    loadDoors({
      ...{
        version: VERSION,
        options,
        paths,
        config,
        secrets,
        clock,
        log,
        ground,
        gate,
        approvals,
        wayOut,
        policy,
        tools,
        endAllSessions,
        startedAt: clock.now(),
      },
      stopping: stopping.signal,
      stop: (how) => void stop(how),
    }),
    seedIdentity(paths, ground, redactor),
  ]);
  const listeners = await doors.open();
  open = listeners;
  const { ports } = listeners;
  stack.defer(() => listeners.close());
  const urls = listenerUrls(config.config.api, ports);
  operatorUrl = urls.operator;
  const shutdown = new Shutdown({ listeners, events, log, stack, stopping });

  await events.started(VERSION, ports, config.current);
  stack.defer(() => config.close());
  config.watch({
    onReloaded: (loaded, needsRestart) => {
      log.level = loaded.config.log.level;
      events.onReloaded(loaded, needsRestart);
      tools.apply();
    },
    onRejected: (error) => events.onRejected(error),
    onPartFailed: (error) => events.onPartFailed(error),
  });
  tools.apply();
  writeFileAtomically(paths.runtime, `${JSON.stringify({ pid: process.pid, ports })}\n`);
  stack.defer(() => rmSync(paths.runtime, { force: true }));
  down.resolve(shutdown);
  if (options.signal?.aborted) await stop('stopped');
  options.signal?.addEventListener('abort', () => void stop('stopped'), { once: true });

  return {
    ports,
    urls,
    home: paths,
    firstStart,
    closed: shutdown.closed,
    close: () => stop('stopped'),
    async killNow() {
      await endAllSessions();
      await stop('killed');
    },
  };
}

async function loadDoors(parts: DoorParts): Promise<Doors> {
  const { buildDoors } = await import('./gateway/open-doors.ts');
  return buildDoors(parts);
}
