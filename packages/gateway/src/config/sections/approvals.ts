import { RISKS } from '@sallyport/protocol';
import { z } from 'zod';
import { durationSchema, nameSchema } from './values.ts';

const typeSchema = z.string().min(1).max(120);

const TieredSchema = z.strictObject({
  policy: z.literal('tiered').describe('how long depends on the risk; then the answer is no'),
  tiers: z
    .partialRecord(z.enum(RISKS), durationSchema.describe('how long people have'))
    .default({})
    .describe('time by risk; `low: 10m`, `medium: 1h`, `high: 4h`, `critical: 24h` unless told otherwise'),
});

const EscalateSchema = z.strictObject({
  policy: z.literal('escalate').describe('one role after the other is asked; then the answer is no'),
  chain: z
    .array(
      z.strictObject({
        role: nameSchema.describe('whose people are asked at this step'),
        minutes: z.int().min(1).max(10_080).describe('how long, before the next role is asked too'),
      }),
    )
    .min(1)
    .max(10)
    .describe('from the first role to the last'),
});

const TimeoutSchema = z.union([
  z
    .enum(['deny', 'wait', 'tiered'])
    .describe('deny: no after `timeout`; wait: no limit; tiered: with the standard tiers'),
  z.strictObject({
    policy: z.literal('deny').describe('no, after this time'),
    after: durationSchema.describe('how long people have'),
  }),
  TieredSchema,
  EscalateSchema,
]);

export const ApprovalsSchema = z
  .strictObject({
    timeout: durationSchema.default('1h').describe('how long people have to answer for a caller that waits'),
    timeouts: z
      .record(typeSchema, TimeoutSchema)
      .default({})
      .describe('by action type or category: `deny`, `wait`, `tiered` or `escalate`'),
    quorum: z
      .strictObject({
        types: z.array(typeSchema).min(1).describe('action types that several people decide'),
        of: z.int().min(2).max(10).describe('how many different people must agree'),
      })
      .optional()
      .describe('what one person alone cannot allow, and no grant covers'),
  })
  .describe('questions to people');

export type ApprovalsConfig = z.infer<typeof ApprovalsSchema>;

/** Keys of the top level and of `tenants.<t>`, whose own section replaces the shared one. */
export const approvalsTopShape = { approvals: ApprovalsSchema.prefault({}) };
export const approvalsTenantShape = { approvals: ApprovalsSchema.optional() };
