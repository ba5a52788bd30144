import { z } from 'zod';
import { nameSchema } from './names.ts';
import { autonomySchema } from './policy-autonomy.ts';
import { agentLevelSchema } from './policy-levels.ts';
import { permissionsSchema, toolPattern } from './policy-rules.ts';

/** Policy keys of `agents.<a>`, spread into its strict object beside the ground keys. */
export const policyAgentShape = {
  tools: z
    .array(toolPattern)
    .optional()
    .describe('tools that the agent sees; absent means all, empty means none'),
  disallowed_tools: z.array(toolPattern).default([]).describe('tools that it never sees'),
  permissions: permissionsSchema.default([]),
  level: agentLevelSchema.optional(),
  security_context: nameSchema.optional().describe('name of its security context; absent means none'),
  autonomy: autonomySchema.optional(),
  limits: z
    .strictObject({
      max_calls_per_execution: z.int().min(0).optional().describe('calls in one execution at most'),
    })
    .prefault({})
    .describe('how much the agent may do'),
};
