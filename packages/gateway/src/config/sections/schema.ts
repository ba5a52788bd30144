import { z } from 'zod';
import { AgentsSchema } from './agents.ts';
import { ApiSchema } from './api.ts';
import { approvalsTopShape } from './approvals.ts';
import { AuditSchema } from './audit.ts';
import { ChannelsSchema } from './channels.ts';
import { gatekeeperShape } from './gatekeeper.ts';
import { mcpServersShape } from './mcp-servers.ts';
import { policyTopShape } from './policy-top.ts';
import { LogSchema, mcpShape, SessionsSchema, StoreSchema, workspaceShape } from './process.ts';
import { RolesSchema } from './roles.ts';
import { sshShape } from './ssh.ts';
import { TenantsSchema } from './tenants.ts';
import { VolumesSchema } from './volumes.ts';

const groundTopShape = {
  include: z
    .array(z.string().min(1).max(1_024))
    .default([])
    .describe('more files, relative to this one, `*` allowed: maps are merged, lists appended'),
  tenants: TenantsSchema.default({}),
  roles: RolesSchema.default({}),
  agents: AgentsSchema.default({}),
  store: StoreSchema.prefault({}),
  audit: AuditSchema.prefault({}),
  api: ApiSchema.prefault({}),
  sessions: SessionsSchema.prefault({}),
  log: LogSchema.prefault({}),
  channels: ChannelsSchema.prefault({}),
  volumes: VolumesSchema.default([]),
};

/** The whole config file, from the sections beside this file. Unknown keys are errors. */
export const ConfigSchema = z.strictObject({
  ...groundTopShape,
  ...policyTopShape,
  ...approvalsTopShape,
  ...gatekeeperShape,
  ...mcpShape,
  ...workspaceShape,
  ...mcpServersShape,
  ...sshShape,
});

export type Config = z.infer<typeof ConfigSchema>;
export type TenantConfig = Config['tenants'][string];
export type AgentConfig = Config['agents'][string];
export type RoleConfig = Config['roles'][string];

/** The agent that a name means inside a tenant: the tenant's own first, then the top level's. */
export function findAgent(config: Config, tenant: string, agent: string): AgentConfig | undefined {
  return config.tenants[tenant]?.agents[agent] ?? config.agents[agent];
}

/** The credentials that may be lent to an agent of a tenant: those that it lists and the tenant has. */
export function credentialsOfAgent(config: Config, tenant: string, agent: string): readonly string[] {
  const known = config.tenants[tenant]?.credentials ?? {};
  return (findAgent(config, tenant, agent)?.credentials ?? []).filter((name) => Object.hasOwn(known, name));
}

/** The role that a name means inside a tenant: the tenant's own first, then the top level's. */
export function findRole(config: Config, tenant: string, role: string): RoleConfig | undefined {
  return config.tenants[tenant]?.roles[role] ?? config.roles[role];
}

/** JSON Schema (draft 2020-12) of the config file, for editors: `sallyport config schema`. */
export function jsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(ConfigSchema, {
    target: 'draft-2020-12',
    // What people write, not what the gateway makes of it: a key with a default is not required.
    io: 'input',
    unrepresentable: 'any',
  });
  return { $schema, title: 'Sallyport configuration', ...schema };
}
