import { z } from 'zod';

const WANTS_AT_MOST = 20;
const TEXT_AT_MOST = 500;

/** No line of it, and nothing that could stand for many things. */
const name = z
  .string()
  .max(TEXT_AT_MOST)
  .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), { error: 'must be one line' })
  .refine((text) => !text.includes('*'), { error: 'names one thing: a wildcard is not taken' });

/** What an agent asks for beforehand: `request_access`. */
export const AccessRequestSchema = z.strictObject({
  purpose: z
    .string()
    .trim()
    .min(1)
    .max(TEXT_AT_MOST)
    .describe('what the task is, for the person who decides'),
  wants: z
    .array(
      z.strictObject({
        operation: name
          .min(1)
          .describe(
            'as questions and refusals name it: `github:issues/create-comment`, `POST /v1/items/{}`, `read`',
          ),
        object: name.describe('what it is done to: `github.com/acme/app`, `api.example.com/v1/items`'),
        count: z
          .int()
          .min(1)
          .max(1_000)
          .optional()
          .describe('how often; absent: as often as the session needs'),
      }),
    )
    .min(1)
    .max(WANTS_AT_MOST, { error: `at most ${WANTS_AT_MOST} lines: ask for what the task needs first` })
    .describe('one line for each operation on one object'),
});
export type AccessRequest = z.infer<typeof AccessRequestSchema>;

/** What became of each line, after people said yes. */
export const AccessAnswerSchema = z.strictObject({
  lines: z.array(
    z.strictObject({
      operation: z.string(),
      object: z.string(),
      count: z.int().optional(),
      status: z.enum(['granted', 'denied', 'asked each time', 'needs no consent']),
      reason: z.string().optional().describe('why it was left out'),
    }),
  ),
  note: z.string().optional().describe('what the person wrote beside the answer'),
});
export type AccessAnswer = z.infer<typeof AccessAnswerSchema>;
