import { type Ports, SallyportError } from '@sallyport/protocol';
import { verifyReport } from '../audit/index.ts';
import { writeSecretFile } from '../config/index.ts';
import { SYSTEM_TENANT } from '../ground/index.ts';
import { OperatorToken } from '../identity/index.ts';
import {
  type CommonServices,
  listenerUrls,
  type OperatorServices,
  type RunControl,
  type TrailReader,
} from '../servers/index.ts';
import { IdLookup, SessionsRepository } from '../store/index.ts';
import type { DoorParts } from './door-parts.ts';
import { gatewayStatus } from './gateway-status.ts';
import { recordRefusedAgents } from './refused-agents.ts';

/** What the operator side is handed. */
export function operatorServices(
  parts: DoorParts,
  common: CommonServices,
  { ports, runs }: { readonly ports: () => Ports; readonly runs: RunControl },
): OperatorServices {
  const { version, paths, config, clock, log, ground, startedAt } = parts;
  const { store, sessions, keys, enrollment, trail } = ground;
  // As it is now: a change holds from the next start on.
  const { api } = config.config;
  return {
    ...common,
    ...{ config, sessions, keys, enrollment, runs, snapshots: ground.snapshots },
    operatorToken: new OperatorToken(parts.secrets.operatorToken),
    agentProcesses: ground.agentProcesses,
    onAgentRefused: recordRefusedAgents(ground, clock, log),
    allSessions: new SessionsRepository(store),
    ids: new IdLookup(store),
    approvals: parts.approvals.open,
    grants: parts.gate.grants,
    trail: trailReader(parts),
    policyQuestions: parts.gate.policyQuestions,
    lending: parts.wayOut,
    mcpServers: async () => (await parts.tools.open()).servers,
    channelWays: parts.approvals.channels,
    gateway: {
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
