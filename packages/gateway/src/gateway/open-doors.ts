import { forEachPort, type Ports } from '@sallyport/protocol';
import { openDoors, portListeners } from '../doors/index.ts';
import { Runs } from '../runs/index.ts';
import {
  type CommonServices,
  createAgentSide,
  createOperatorSide,
  type Listeners,
  Metrics,
  type OpenDoor,
  openListeners,
  readTlsFiles,
} from '../servers/index.ts';
import { SessionsRepository } from '../store/index.ts';
import { agentServices } from './agent-services.ts';
import type { DoorParts } from './door-parts.ts';
import { countLiveSessions, trailHeads } from './gateway-status.ts';
import { operatorServices } from './operator-services.ts';

const HEARTBEAT_MS = 15_000;

/** Doors and sides that are built and wait to be opened. */
export interface Doors {
  open(): Promise<Listeners>;
}

/** Builds every door, and the two sides from what they bring along. Nothing listens before `open`. */
export async function buildDoors(parts: DoorParts): Promise<Doors> {
  const { options, config, paths } = parts;
  let ports: Ports = forEachPort(() => 0);
  const common = commonServices(parts);
  const forAgents = agentServices(parts, common);
  const doors = await openDoors(forAgents);
  const all: readonly OpenDoor[] = Object.values(doors);
  const agent = await createAgentSide(forAgents, all);
  const runs = buildRuns(parts, {
    ports: () => ports,
    doors: () => ({ agentApp: agent.app, proxy: doors.proxy.listener }),
  });
  const forOperator = operatorServices(parts, common, { runs, ports: () => ports });
  const operator = await createOperatorSide(forOperator, all);
  return {
    async open() {
      await runs.clear();
      const listeners = await openListeners({
        ...{ agent, operator, doors: portListeners(doors) },
        agentProcesses: parts.ground.agentProcesses,
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
          await Promise.all(all.map((door) => door.close?.()));
        },
      };
    },
  };
}

function buildRuns(
  parts: DoorParts,
  how: Pick<ConstructorParameters<typeof Runs>[0], 'ports' | 'doors'>,
): Runs {
  const { paths, options, config, ground, gate, wayOut, log } = parts;
  return new Runs({
    ...{ paths, env: options.env, config, sessions: ground.sessions, trail: ground.trail, lending: wayOut },
    ...how,
    snapshots: ground.snapshots,
    allSessions: new SessionsRepository(ground.store),
    providersOf: (tenant) => gate.policies().policyOf(tenant)?.providers ?? [],
    onFailed: (error) => log.error({ err: error }, 'a run could not be carried on'),
  });
}

function commonServices(parts: DoorParts): CommonServices {
  const { version, clock, log, config, options, stopping } = parts;
  const tls = readTlsFiles(config.config.api, parts.paths.home);
  return {
    ...{ version, clock, log, config, stopping, metrics: createMetrics(parts) },
    trouble: () => parts.ground.trail.trouble(),
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(tls === undefined ? {} : { tls }),
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
