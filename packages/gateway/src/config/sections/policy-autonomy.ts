import { z } from 'zod';

const preset = z.enum(['full', 'semi', 'supervised', 'locked']);
const answer = z.enum(['auto', 'review', 'human', 'deny']);

export const autonomySchema = z
  .union([
    preset,
    z.strictObject({
      preset: preset.describe('preset to start from'),
      overrides: z
        .record(
          z.string().min(1).max(100),
          z.union([
            answer,
            z.strictObject({
              read: answer.optional().describe('for reads of that type'),
              write: answer.optional().describe('for writes of that type'),
            }),
          ]),
        )
        .default({})
        .describe('action type or category → auto, review, human or deny; a type goes before its category'),
    }),
  ])
  .describe('what happens without a person, by action type; the agent goes before the tenant');
