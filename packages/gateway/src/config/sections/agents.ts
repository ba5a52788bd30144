import { z } from 'zod';
import { credentialNameSchema } from './credentials-common.ts';
import { executionAgentShape } from './execution.ts';
import { nameSchema } from './names.ts';
import { policyAgentShape } from './policy-agent.ts';

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
