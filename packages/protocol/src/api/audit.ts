import { z } from 'zod';
import { EVENT_TYPES } from '../audit-event.ts';
import { NameSchema, PageQuerySchema, TimestampSchema } from './common.ts';

/** One event. `actor` and `data` are open: each type of event has its own. */
export const AuditEventSchema = z.strictObject({
  id: z.string(),
  seq: z.int(),
  at: TimestampSchema,
  tenant: z.string(),
  type: z.enum(EVENT_TYPES),
  actor: z.looseObject({ kind: z.string() }),
  action_id: z.string().optional(),
  approval_id: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
});

/** What narrows the events down, for lists, streams and exports alike. */
export const EventFilterSchema = z.strictObject({
  tenant: NameSchema.optional(),
  type: z.enum(EVENT_TYPES).optional(),
  action_id: z.string().min(1).max(64).optional(),
  text: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('words that all stand in the event: of a command, a title, an id'),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});
export type EventFilter = z.infer<typeof EventFilterSchema>;

/** `GET /v1/audit/events` */
export const EventQuerySchema = EventFilterSchema.extend(PageQuerySchema.shape).extend({
  order: z.enum(['oldest', 'newest']).default('newest').describe('which end to begin at'),
});
export type EventQuery = z.infer<typeof EventQuerySchema>;

/** `POST /v1/audit/verify`: without tenant, every tenant's chain is checked. */
export const VerifySchema = z.strictObject({ tenant: NameSchema.optional() });

export const VerifyReportSchema = z.strictObject({
  ok: z.boolean(),
  tenants: z.array(
    z.strictObject({
      tenant: z.string(),
      ok: z.boolean(),
      events: z.int(),
      checkpoints: z.int(),
      problem: z
        .strictObject({ seq: z.int().nullable(), event: z.string().nullable(), message: z.string() })
        .nullable()
        .describe('the first bad event'),
    }),
  ),
});
export type VerifyReport = z.infer<typeof VerifyReportSchema>;
