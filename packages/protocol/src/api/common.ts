import { z } from 'zod';

/** The shape of every error, on every route of both sides. */
export const ErrorBodySchema = z.strictObject({
  error: z.strictObject({
    code: z.string().describe('stable; branch on this'),
    message: z.string().describe('one line for people'),
    hint: z.string().optional().describe('what to do about it'),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** The shape of every list. */
export function listOf<Item extends z.ZodType>(
  item: Item,
): z.ZodObject<{ items: z.ZodArray<Item>; next_cursor: z.ZodNullable<z.ZodString> }, z.core.$strict> {
  return z.strictObject({
    items: z.array(item),
    next_cursor: z.string().nullable().describe('pass as `cursor` for the next page; null on the last'),
  });
}

/** Whole ids for a shortened one. */
export const IdListSchema = listOf(z.string());

/** Name of a tenant, user, agent or credential, as the config spells it. */
export const NameSchema = z.string().min(1).max(128);

/** ISO 8601, UTC, milliseconds */
export const TimestampSchema = z.iso.datetime({ precision: 3 });

export const HealthSchema = z.strictObject({
  status: z.literal('ok'),
  version: z.string(),
  side: z.enum(['agent', 'operator']),
});
export type Health = z.infer<typeof HealthSchema>;

/** `limit` and `cursor` of every list. */
export const PageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(256).optional(),
});
