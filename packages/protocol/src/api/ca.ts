import { z } from 'zod';
import { TimestampSchema } from './common.ts';

/** `GET /v1/ca`, `POST /v1/ca/rotate`: the local certificate authority. Its key is never part of an answer. */
export const CertificateAuthoritySchema = z.strictObject({
  subject: z.string(),
  fingerprint_sha256: z.string().describe('of the certificate, hex pairs with colons'),
  not_before: TimestampSchema,
  not_after: TimestampSchema,
  state: z.enum(['valid', 'expiring', 'expired']).describe('expiring: 30 days or less are left'),
  certificate: z.string().describe('PEM: what agents must trust'),
});
export type CertificateAuthority = z.infer<typeof CertificateAuthoritySchema>;
