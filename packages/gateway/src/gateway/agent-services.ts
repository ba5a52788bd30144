import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createHttpBuilder, type HttpActionBuilder } from '../actions/index.ts';
import { createClientRules, type PolicySet } from '../gate/index.ts';
import { deriveKey } from '../identity/index.ts';
import type { AgentServices, CommonServices } from '../servers/index.ts';
import { SealWorkloadsRepository } from '../store/index.ts';
import type { DoorParts } from './door-parts.ts';
import { SYSTEM_TENANT } from './seed-identity.ts';

/**
 * What the agent side and its doors are handed.
 *
 * SECURITY: an object of its own: what is the operator's is not in it, and not behind it [ID-1].
 */
export function agentServices(parts: DoorParts, common: CommonServices): AgentServices {
  const { paths, secrets, ground, gate, wayOut, tools } = parts;
  const { open } = parts.approvals;
  return {
    ...common,
    sessions: ground.sessions,
    keys: ground.keys,
    agentProcesses: ground.agentProcesses,
    gate: parts.approvals.gate,
    builderFor: (tenant) => gate.builderFor(tenant),
    httpBuilderFor: httpBuilders(parts),
    approvals: {
      approvals: open.approvals,
      deciders: open.deciders,
      inbox: open.inbox,
      // The config may name others at any time.
      get channels() {
        return open.channels;
      },
    },
    inboxSecret: secrets.inboxSecret,
    clientRules: createClientRules(gate.grants),
    tools: { open: () => tools.open() },
    http: wayOut.http,
    lending: {
      broker: wayOut.broker,
      placeholders: wayOut.placeholders,
      references: wayOut.references,
    },
    trail: ground.trail,
    coordination: ground.coordination,
    sealWorkloads: new SealWorkloadsRepository(ground.store),
    clientIdKey: () => deriveKey(secrets.operatorToken, 'sallyport oauth clients v1'),
    paths,
    freshFolder(name) {
      const folder = join(paths.home, name);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    },
    systemTenant: SYSTEM_TENANT,
    startedAt: parts.startedAt,
  };
}

/** Builders by tenant, as long as the policies are the same. */
function httpBuilders({ gate, policy }: DoorParts): (tenant: string) => HttpActionBuilder {
  let current: PolicySet | undefined;
  let builders = new Map<string, HttpActionBuilder>();
  return (tenant) => {
    const now = gate.policies();
    if (now !== current) {
      current = now;
      builders = new Map();
    }
    let builder = builders.get(tenant);
    if (builder === undefined) {
      const providers = now.policyOf(tenant)?.providers ?? [];
      builder = createHttpBuilder({
        ...{ providers, registries: policy.registries(), telemetry: policy.telemetry },
      });
      builders.set(tenant, builder);
    }
    return builder;
  };
}
