import { z } from 'zod';
import { CONFINEMENTS } from '../action.ts';
import { NameSchema, TimestampSchema } from './common.ts';

/** `POST /session/new` on the agent side. */
export const NewSessionSchema = z.strictObject({
  tenant_id: NameSchema,
  enrollment_secret: z.string().min(1).max(512),
  agent: NameSchema.optional().describe("defaults to the tenant's default agent"),
  workspace: z
    .string()
    .max(4096)
    .optional()
    .describe(
      'folder on this machine that the agent works in: what lies elsewhere is asked about, and exceptions for repositories hold for its git remotes',
    ),
});
export type NewSession = z.infer<typeof NewSessionSchema>;

/** The answer that carries a new token: the only time it is shown. */
export const SessionTokenSchema = z.strictObject({
  session_token: z.string(),
  session_id: z.string(),
  ttl_seconds: z.int(),
  expires_at: TimestampSchema,
});
export type SessionToken = z.infer<typeof SessionTokenSchema>;

/** `GET /session`: what a session may know about itself. */
export const OwnSessionSchema = z.strictObject({
  session_id: z.string(),
  tenant_id: z.string(),
  user: z.string(),
  agent: z.string(),
  chain: z.array(z.string()),
  confinement: z.enum(CONFINEMENTS),
  credentials: z.array(z.string()).describe('names; values are never shown'),
  ttl_seconds: z.int(),
  expires_at: TimestampSchema,
});
export type OwnSession = z.infer<typeof OwnSessionSchema>;

/** `POST /session/renew`: the token stays, the expiry moves. */
export const RenewedSessionSchema = z.strictObject({
  session_id: z.string(),
  ttl_seconds: z.int(),
  expires_at: TimestampSchema,
});
export type RenewedSession = z.infer<typeof RenewedSessionSchema>;

/** A session as the operator sees it. */
export const SessionSchema = z.strictObject({
  id: z.string(),
  tenant: z.string(),
  user: z.string(),
  agent: z.string(),
  chain: z.array(z.string()),
  confinement: z.enum(CONFINEMENTS),
  credentials: z.array(z.string()),
  repositories: z
    .array(z.string())
    .describe('what the git remotes of the workspace named when the session began'),
  workspace: z.string().nullable().describe('folder that the agent works in; null: it named none'),
  created_at: TimestampSchema,
  expires_at: TimestampSchema,
  ended_at: TimestampSchema.nullable(),
  end_reason: z.string().nullable(),
});
export type Session = z.infer<typeof SessionSchema>;

/** `POST /v1/sessions` on the operator side: any tenant, user, agent, confinement. */
export const OpenSessionSchema = z.strictObject({
  tenant: NameSchema.default('default'),
  user: NameSchema.optional().describe("defaults to the tenant's `default_user`"),
  agent: NameSchema.optional().describe("defaults to the tenant's default agent"),
  confinement: z.enum(CONFINEMENTS).default('unconfined'),
  workspace: z
    .string()
    .max(4096)
    .optional()
    .describe('folder on this machine that the agent works in; without one, reads of files ask'),
});
export type OpenSession = z.infer<typeof OpenSessionSchema>;
