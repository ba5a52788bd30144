import { z } from 'zod';
import { AgentsSchema } from './sections/agents.ts';
import { ApiSchema } from './sections/api.ts';
import { approvalsTopShape } from './sections/approvals.ts';
import { AuditSchema } from './sections/audit.ts';
import { ChannelsSchema } from './sections/channels.ts';
import { gatekeeperShape } from './sections/gatekeeper.ts';
import { LogSchema } from './sections/log.ts';
import { mcpShape } from './sections/mcp.ts';
import { mcpServersShape } from './sections/mcp-servers.ts';
import { policyTopShape } from './sections/policy-top.ts';
import { RolesSchema } from './sections/roles.ts';
import { SessionsSchema } from './sections/sessions.ts';
import { StoreSchema } from './sections/store.ts';
import { TenantsSchema } from './sections/tenants.ts';
import { VolumesSchema } from './sections/volumes.ts';

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

/** The whole config file. Sections live in `sections/`, one file each. Unknown keys are errors. */
export const ConfigSchema = z.strictObject({
  ...groundTopShape,
  ...policyTopShape,
  ...approvalsTopShape,
  ...gatekeeperShape,
  ...mcpShape,
  ...mcpServersShape,
});

export type Config = z.infer<typeof ConfigSchema>;
export type TenantConfig = Config['tenants'][string];
export type AgentConfig = Config['agents'][string];
export type RoleConfig = Config['roles'][string];
