import { z } from 'zod';
import { safeUrlSchema, secretReferenceSchema } from './values.ts';

const MODEL = /^(?:anthropic|openai-compatible):[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/;

/** `provider:name`. */
export const modelSchema = z
  .string()
  .regex(
    MODEL,
    'expected `anthropic:NAME` or `openai-compatible:NAME`, for example `anthropic:claude-haiku-4-5`',
  );

export const GatekeeperSchema = z
  .strictObject({
    model: modelSchema.describe(
      'who reviews: `anthropic:NAME`, or `openai-compatible:NAME` with a `base_url`',
    ),
    base_url: safeUrlSchema
      .optional()
      .describe(
        'where the model is, for example `http://127.0.0.1:11434/v1`; absent: the provider’s own address',
      ),
    api_key: secretReferenceSchema.optional().describe('source of the key; Anthropic needs one'),
    auto_approve: z
      .enum(['none', 'low', 'medium', 'high'])
      .default('none')
      .describe(
        'highest risk that the review alone lets pass; `none`: people are always asked and see the review',
      ),
    timeout_seconds: z
      .int()
      .min(1)
      .max(300)
      .default(20)
      .describe('how long the model may take; then people are asked'),
    budget_tokens: z
      .int()
      .min(64)
      .max(32_768)
      .default(1_024)
      .describe('tokens that an answer may have; one that is cut off is none'),
  })
  .superRefine(({ model, base_url, api_key }, context) => {
    if (model.startsWith('openai-compatible:') && base_url === undefined)
      context.addIssue({
        code: 'custom',
        path: ['model'],
        message: 'an `openai-compatible` model needs a `base_url`',
        params: { hint: 'for Ollama on this machine: `base_url: http://127.0.0.1:11434/v1`' },
      });
    if (model.startsWith('anthropic:') && api_key === undefined)
      context.addIssue({
        code: 'custom',
        path: ['model'],
        message: 'an `anthropic` model needs an `api_key`',
        params: { hint: 'name where it is read from: `api_key: env:ANTHROPIC_API_KEY`' },
      });
  })
  .describe(
    'a model that reviews what rules leave open, before people are asked; and the model of tool_validation',
  );

export type GatekeeperConfig = z.infer<typeof GatekeeperSchema>;

/** Key of the top level and of `tenants.<t>`, whose own section replaces the shared one. */
export const gatekeeperShape = { gatekeeper: GatekeeperSchema.optional() };
