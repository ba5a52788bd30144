import { z } from 'zod';
import { TimestampSchema } from './common.ts';

/** The only version there is; anything else is refused, not guessed. */
export const SEAL_PROTOCOL = 'seal/v1';

/** 32 bytes of an Ed25519 public key, 64 of a signature; base64url without padding. */
const PublicKeySchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const SignatureSchema = z.string().regex(/^[A-Za-z0-9_-]{86}$/);
const NonceSchema = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/);
const IdSchema = z.string().min(1).max(64);

/** `POST /v1/seal/workloads` on the operator side: a worker is about to be started for this session. */
export const NewWorkloadSchema = z.strictObject({
  session_id: IdSchema.describe('a live session; agent, user and rights are its'),
  execution_id: IdSchema.optional().describe(
    'an execution of the session whose worker is gone: the new one takes its place; absent: a new execution',
  ),
});

/** What the launcher hands to the worker, and to nobody else. The secret is shown this once. */
export const CreatedWorkloadSchema = z.strictObject({
  workload_id: z.string(),
  attestation_secret: z.string().describe('good for one attestation'),
  expires_at: TimestampSchema.describe('when the secret is worth nothing any more'),
  session_id: z.string(),
  execution_id: z.string(),
  tenant_id: z.string(),
  gateway_public_key: z.string().describe('answers are signed with its private half'),
});
export type CreatedWorkload = z.infer<typeof CreatedWorkloadSchema>;

/** A worker that attested before shows that it has the key of that time: Ed25519 over `{nonce, public_key, timestamp, workload_id}`. */
const RenewalProofSchema = z.strictObject({
  nonce: NonceSchema,
  timestamp: TimestampSchema,
  signature: SignatureSchema,
});

/** `POST /v1/seal/attest`: with the one-time secret, or, after a restart of the gateway, with the old key. */
export const AttestSchema = z.union([
  z.strictObject({
    public_key: PublicKeySchema,
    workload_id: IdSchema,
    attestation_secret: z.string().min(1).max(128),
  }),
  z.strictObject({ public_key: PublicKeySchema, workload_id: IdSchema, proof: RenewalProofSchema }),
]);
export type Attest = z.infer<typeof AttestSchema>;

export const AttestedSchema = z.strictObject({
  status: z.literal('attested'),
  security_token: z.string(),
  expires_at: TimestampSchema,
  session_id: z.string(),
});
export type Attested = z.infer<typeof AttestedSchema>;

/** The only thing that `POST /v1/dispatch-gateway` takes. The signature covers `{payload, security_token, timestamp}`. */
export const EnvelopeSchema = z.strictObject({
  protocol: z.literal(SEAL_PROTOCOL),
  security_token: z.string().min(1).max(4096),
  signature: SignatureSchema,
  payload: z.looseObject({ type: z.string().max(64), nonce: NonceSchema }),
  timestamp: TimestampSchema,
});
export type Envelope = z.infer<typeof EnvelopeSchema>;

const ToolCallMessageSchema = z.strictObject({
  type: z.literal('tool_call'),
  nonce: NonceSchema,
  tool: z.string().min(1).max(256),
  // INVARIANT: what JSON text gave; so it is JSON.
  arguments: z.record(z.string(), z.json()),
});

const DispatchResultMessageSchema = z.strictObject({
  type: z.literal('dispatch_result'),
  nonce: NonceSchema,
  execution_id: IdSchema,
  dispatch_id: IdSchema,
  exit_code: z.int().min(0).max(255).describe("the program's own, or 128 + the signal that ended it"),
  stdout: z.string(),
  stderr: z.string(),
  duration_ms: z.number().min(0),
  truncated: z.boolean().describe('the output limit ended it; what is here came before'),
  error: z.enum(['timeout', 'not_started']).optional().describe('why it did not end by itself'),
});
export type DispatchResultMessage = z.infer<typeof DispatchResultMessageSchema>;

/** For loops that the gateway runs; refused until it runs any. */
const GenerateMessageSchema = z.looseObject({ type: z.literal('generate'), nonce: NonceSchema });

/** What a worker says, inside an envelope. */
export const WorkerMessageSchema = z.discriminatedUnion('type', [
  ToolCallMessageSchema,
  DispatchResultMessageSchema,
  GenerateMessageSchema,
]);
export type WorkerMessage = z.infer<typeof WorkerMessageSchema>;
