import { z } from 'zod';
import { NameSchema, TimestampSchema } from './common.ts';

/** An API key as the operator sees it: never the key itself. */
export const ApiKeySchema = z.strictObject({
  id: z.string(),
  tenant: z.string(),
  client_id: z.string().describe('first 12 hex digits of the sha-256 of the key'),
  name: z.string(),
  created_at: TimestampSchema,
  revoked_at: TimestampSchema.nullable(),
});
export type ApiKey = z.infer<typeof ApiKeySchema>;

/** `POST /v1/keys` */
export const NewApiKeySchema = z.strictObject({ tenant: NameSchema.default('default'), name: NameSchema });
export type NewApiKey = z.infer<typeof NewApiKeySchema>;

/** The answer that carries a new key: the only time it is shown. */
export const CreatedApiKeySchema = ApiKeySchema.extend({ key: z.string() });
export type CreatedApiKey = z.infer<typeof CreatedApiKeySchema>;

/** `POST /v1/enrollment`: makes the secret of a tenant or of one agent, and ends the one before. */
export const NewEnrollmentSchema = z.strictObject({ tenant: NameSchema, agent: NameSchema.optional() });
export type NewEnrollment = z.infer<typeof NewEnrollmentSchema>;

export const CreatedEnrollmentSchema = z.strictObject({
  tenant: z.string(),
  agent: z.string().nullable(),
  enrollment_secret: z.string(),
});
export type CreatedEnrollment = z.infer<typeof CreatedEnrollmentSchema>;
