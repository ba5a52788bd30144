import { z } from 'zod';
import { modelSchema } from './gatekeeper.ts';
import { toolPattern } from './policy-rules.ts';

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
export const executionAgentShape = {
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
