import { z } from 'zod';
import { toolAccessSchema } from './policy-levels.ts';
import { networkSchema } from './policy-network.ts';
import { providersSchema } from './policy-providers.ts';
import { permissionsSchema } from './policy-rules.ts';
import { builtinDispatchersSchema, securityContextsSchema } from './policy-security-context.ts';
import { routesSchema } from './routes.ts';

/** Policy keys of the top level, spread into its strict object beside the ground keys. */
export const policyTopShape = {
  permissions: permissionsSchema.default([]),
  network: networkSchema.optional(),
  routes: routesSchema.default([]),
  security_contexts: securityContextsSchema.default({}),
  builtin_dispatchers: builtinDispatchersSchema.prefault({}),
  providers: providersSchema.default([]),
  custom_types: z
    .array(z.string().regex(/^custom:[a-z0-9][a-z0-9_.-]{0,63}$/, 'a custom type is `custom:` and a name'))
    .default([])
    .describe('action types of your own, usable in rules and autonomy'),
  tool_access: toolAccessSchema.prefault({}),
};
