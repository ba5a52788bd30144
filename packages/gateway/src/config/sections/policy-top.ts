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
    .array(
      z
        .string()
        .regex(/^[a-z][a-z0-9_-]{0,63}:[a-z0-9][a-z0-9_.-]{0,63}$/, 'a custom type is `category:name`'),
    )
    .default([])
    .describe(
      'action types of your own, `category:name` with any category, usable in rules, autonomy, quorum and at the approval API',
    ),
  platform_root: z
    .string()
    .regex(/^\/(?!.*(?:^|\/)\.{1,2}(?:\/|$))/, 'a path starts with `/` and has no `.` or `..`')
    .default('/')
    .describe(
      'the folder that `/` at the start of a path in a rule means; `//` is always the root of the disk',
    ),
  tool_access: toolAccessSchema.prefault({}),
};
