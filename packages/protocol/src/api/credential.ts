import { z } from 'zod';
import { NameSchema, TimestampSchema } from './common.ts';

/** A credential as the operator sees it: never its value. */
export const CredentialSchema = z.strictObject({
  tenant: z.string(),
  name: z.string(),
  kind: z.string(),
  source: z.string().nullable().describe('where it is read from; null for kinds that need nothing'),
  hosts: z.array(z.string()).describe('the only hosts that it is ever sent to'),
  risk: z.enum(['low', 'medium', 'high', 'critical']).nullable(),
  state: z
    .enum(['ready', 'unread', 'failed'])
    .describe(
      'ready: in memory; unread: not needed yet, or its time in memory is over; failed: see `problem`',
    ),
  problem: z.strictObject({ message: z.string(), hint: z.string().nullable() }).nullable(),
});
export type Credential = z.infer<typeof CredentialSchema>;

/** `POST /v1/credentials/check` and `POST /v1/credentials/refresh`: all of them unless it says which. */
export const CredentialSelectionSchema = z.strictObject({
  tenant: NameSchema.optional(),
  name: NameSchema.optional(),
});

/** `POST /v1/tokens`: a session of an agent that may use these credentials only. */
export const NewTokenSchema = z.strictObject({
  tenant: NameSchema.default('default'),
  agent: NameSchema,
  user: NameSchema.optional().describe("defaults to the tenant's `default_user`"),
  credentials: z.array(NameSchema).max(100).describe('names; each must be one of the agent'),
  ttl: z
    .union([z.int().min(1).max(2_592_000), z.string().max(64)])
    .optional()
    .describe('seconds, or a duration like `15m`; as long as other sessions unless given, 30 days at most'),
});

/** The answer that carries a new token: the only time it is shown. */
export const CreatedTokenSchema = z.strictObject({
  id: z.string(),
  token: z.string(),
  expires_at: TimestampSchema,
  placeholders: z
    .record(z.string(), z.string())
    .describe('for each credential a text for the environment of programs that want a key to start'),
});
export type CreatedToken = z.infer<typeof CreatedTokenSchema>;

/** `POST /v1/refs`: a text for the body of one request, which becomes the credential's value on its way. */
export const NewReferenceSchema = z.strictObject({
  tenant: NameSchema.default('default'),
  credential: NameSchema,
  host: z.string().min(1).max(300),
  session: z.string().min(1).max(64),
});

export const CreatedReferenceSchema = z.strictObject({
  ref: z.string().describe('`sp-ref:<credential>:<nonce>`: works once, on that host, in that session'),
  expires_at: TimestampSchema,
});
