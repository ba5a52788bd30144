import { z } from 'zod';

/** One rule or selector as it is written; `gate/` reads it and reports what is wrong with it. */
export const ruleText = z.string().min(1).max(2_000);

/** `allow`, `ask` or `deny`, in the order of their strictness. */
export const ruleAction = z.enum(['allow', 'ask', 'deny']);

/** Name of a tool, or a pattern that ends in `*` at a border: `fs.*`, `mcp:github/*`. */
export const toolPattern = z.string().min(1).max(200);

export const permissionsSchema = z
  .array(ruleText)
  .describe(
    'ordered rules `allow|ask|deny:selector`; the first match of a list counts, and of all lists the strictest',
  );

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
