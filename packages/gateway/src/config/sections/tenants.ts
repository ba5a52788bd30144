import { z } from 'zod';
import { AgentsSchema } from './agents.ts';
import { approvalsTenantShape } from './approvals.ts';
import { CredentialsSchema } from './credentials-kinds.ts';
import { SourcesSchema } from './credentials-sources.ts';
import { gatekeeperShape } from './gatekeeper.ts';
import { branchesSchema, exceptionsSchema, grantsSchema, modeSchema } from './policy-mode.ts';
import { networkSchema } from './policy-network.ts';
import { providersSchema } from './policy-providers.ts';
import { autonomySchema, permissionsSchema } from './policy-rules.ts';
import { securityContextsSchema } from './policy-security-context.ts';
import { RolesSchema } from './roles.ts';
import { routesSchema } from './routes.ts';
import { nameSchema } from './values.ts';

/** Policy keys of `tenants.<t>`, spread into its strict object beside the ground keys. */
export const policyTenantShape = {
  mode: modeSchema,
  branches: branchesSchema,
  exceptions: exceptionsSchema,
  permissions: permissionsSchema.default([]),
  network: networkSchema.optional(),
  routes: routesSchema.default([]),
  security_contexts: securityContextsSchema.default({}),
  providers: providersSchema.default([]),
  autonomy: autonomySchema.optional(),
  grants: grantsSchema,
};

export const UserSchema = z.strictObject({
  roles: z.array(nameSchema).default([]).describe('names of roles; a user without roles may do nothing'),
  identities: z
    .record(nameSchema, z.string().min(1).max(320))
    .default({})
    .describe('who the person is on each channel, for example `terminal: ana`, `email: ana@example.com`'),
});

const groundTenantShape = {
  users: z.record(nameSchema, UserSchema).default({}).describe('people by name'),
  default_user: nameSchema
    .optional()
    .describe('user on whose behalf a session acts that was opened with the enrollment secret'),
  default_agent: nameSchema.optional().describe('agent of a session that names none'),
  roles: RolesSchema.default({}),
  agents: AgentsSchema.default({}),
  credentials: CredentialsSchema.default({}),
  sources: SourcesSchema.default({}),
};

export const TenantSchema = z.strictObject({
  ...groundTenantShape,
  ...policyTenantShape,
  ...approvalsTenantShape,
  ...gatekeeperShape,
});

export const TenantsSchema = z
  .record(nameSchema, TenantSchema)
  .describe('isolated customers of this gateway, by name; none sees another');
