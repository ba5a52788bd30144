import type { CliIntent } from '../cli-intent.ts';

type Facts = Omit<CliIntent, 'operation'>;

/**
 * What a row of a table says about its subcommand. Risks are those of the types (`risk.ts`), but for what brings code
 * of others here: that runs, so it is more than a read.
 */
const FACTS = {
  /** reads on this machine */
  look: { effect: 'read', reach: 'workspace', type: 'code:read', risk: 'low' },
  /** reads elsewhere */
  ask: { effect: 'read', reach: 'remote', type: 'custom:cli', risk: 'low' },
  /** reads a database */
  query: { effect: 'read', reach: 'remote', type: 'db:query', risk: 'low' },
  /** brings packages or images here; their code runs, at once or later */
  fetch: { effect: 'read', reach: 'remote', type: 'code:write', risk: 'medium', runsCode: true },
  /** changes files of the workspace and runs no code of it */
  edit: { effect: 'write', reach: 'workspace', type: 'code:write', risk: 'medium' },
  /** builds, formats or runs what the workspace holds */
  work: { effect: 'write', reach: 'workspace', type: 'code:write', risk: 'medium', runsCode: true },
  /** tests or checks what the workspace holds */
  test: { effect: 'write', reach: 'workspace', type: 'test:run', risk: 'medium', runsCode: true },
  /** changes this machine beyond the workspace: packages, services, containers */
  host: { effect: 'write', reach: 'host', type: 'custom:cli', risk: 'high' },
  /** destroys what this machine keeps: volumes, disks */
  destroy: { effect: 'write', reach: 'host', type: 'custom:destroy', risk: 'critical' },
  /** runs code that its words or its input bring along */
  code: {
    effect: 'write',
    reach: 'host',
    type: 'custom:cli',
    risk: 'critical',
    runsCode: true,
    unknownHosts: true,
  },
  /** changes something elsewhere */
  send: { effect: 'write', reach: 'remote', type: 'custom:cli', risk: 'high' },
  /** moves a branch of a repository elsewhere */
  push: { effect: 'write', reach: 'remote', type: 'vcs:push', risk: 'high' },
  /** people or channels get a message */
  message: { effect: 'write', reach: 'remote', type: 'comms:external', risk: 'high' },
  /** puts what may be deployed where others take it from */
  stage: { effect: 'write', reach: 'remote', type: 'deploy:staging', risk: 'high' },
  /** publishes or deploys */
  deploy: { effect: 'write', reach: 'remote', type: 'deploy:production', risk: 'critical' },
  /** changes data */
  mutate: { effect: 'write', reach: 'remote', type: 'db:mutate', risk: 'high' },
  /** changes a database itself */
  admin: { effect: 'write', reach: 'remote', type: 'db:admin', risk: 'critical' },
  /** secrets, tokens, members, and what deletes more than one thing */
  critical: { effect: 'write', reach: 'remote', type: 'custom:cli', risk: 'critical' },
} as const satisfies Record<string, Facts>;

export type RowKind = keyof typeof FACTS;

/** Kinds that run what the workspace holds: its code may do more than any option. */
const OF_WORKSPACE: ReadonlySet<RowKind> = new Set<RowKind>(['edit', 'work', 'test']);

export function intentOf(kind: RowKind, operation: string): CliIntent {
  return { ...FACTS[kind], operation };
}

/** Kinds that the first config asks nobody about. */
export function isFreeKind(kind: RowKind): boolean {
  return OF_WORKSPACE.has(kind) || FACTS[kind].effect === 'read';
}

export function isWorkspaceKind(kind: RowKind): boolean {
  return OF_WORKSPACE.has(kind);
}
