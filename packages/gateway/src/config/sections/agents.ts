import { z } from 'zod';
import { credentialNameSchema } from './credentials-common.ts';
import { modelSchema } from './gatekeeper.ts';
import { agentLevelSchema } from './policy-levels.ts';
import { autonomySchema, permissionsSchema, toolPattern } from './policy-rules.ts';
import { nameSchema } from './values.ts';

const ToolValidationSchema = z.strictObject({
  criteria: z
    .string()
    .min(1)
    .max(8_000)
    .describe('what each call must satisfy, in words for a model; it may only refuse'),
  model: modelSchema
    .optional()
    .describe('another model of the provider of `gatekeeper`; absent: the model of `gatekeeper`'),
});

/** Keys of `agents.<a>` about how its calls are carried out. */
const executionAgentShape = {
  execution: z
    .strictObject({
      tool_validation: z
        .record(toolPattern, ToolValidationSchema)
        .default({})
        .describe('tool → what a model checks before each of its calls; no answer is a refusal'),
    })
    .optional()
    .describe('how the calls of the agent are carried out'),
};

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

const groundAgentShape = {
  description: z.string().max(500).optional().describe('what the agent is for, for people who read lists'),
  credentials: z
    .array(credentialNameSchema)
    .optional()
    .describe('names of the credentials that may be lent to this agent; absent or empty means none'),
};

export const AgentSchema = z.strictObject({
  ...groundAgentShape,
  ...policyAgentShape,
  ...executionAgentShape,
});

export const AgentsSchema = z
  .record(nameSchema, AgentSchema)
  .describe('agents by name; a tenant finds an agent among its own first, then at the top level');
