import { autonomySchema } from './policy-autonomy.ts';
import { branchesSchema, exceptionsSchema, grantsSchema, modeSchema } from './policy-mode.ts';
import { networkSchema } from './policy-network.ts';
import { providersSchema } from './policy-providers.ts';
import { permissionsSchema } from './policy-rules.ts';
import { securityContextsSchema } from './policy-security-context.ts';
import { routesSchema } from './routes.ts';

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
