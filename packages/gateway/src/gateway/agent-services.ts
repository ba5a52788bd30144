import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandCalls } from '../calls/index.ts';
import { SYSTEM_TENANT } from '../ground/index.ts';
import { deriveKey } from '../identity/index.ts';
import type { AgentServices, CommonServices } from '../servers/index.ts';
import { Spools } from '../shared/spool.ts';
import { SealWorkloadsRepository } from '../store/index.ts';
import type { DoorParts } from './door-parts.ts';

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
    httpBuilderFor: (tenant) => gate.httpBuilderFor(tenant),
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
    clientRules: gate.clientRules,
    tools: { open: () => tools.open() },
    commands: commandCalls(parts),
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
    spools: new Spools(freshFolder(paths.home, 'spool')),
    systemTenant: SYSTEM_TENANT,
    startedAt: parts.startedAt,
  };
}

/** SECURITY: what lends and runs stays in here: a door can only hand a line over. */
function commandCalls({ approvals, ground, wayOut, config, log }: DoorParts): CommandCalls {
  return new CommandCalls({
    gate: approvals.gate,
    trail: ground.trail,
    onProblem: (error, what) => log.warn({ err: error }, what),
    broker: wayOut.broker,
    executor: wayOut.commands,
    settings: () => config.config.ssh,
  });
}

/** SECURITY: what a crash left behind may hold bodies; nothing in here is ever needed again. */
function freshFolder(home: string, name: string): string {
  const folder = join(home, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}
