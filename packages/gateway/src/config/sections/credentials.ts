import { z } from 'zod';
import { cloudCredentialSchemas } from './credentials-cloud.ts';
import { credentialNameSchema } from './credentials-common.ts';
import { plainCredentialSchemas } from './credentials-kinds.ts';

const CredentialSchema = z.discriminatedUnion('kind', [...plainCredentialSchemas, ...cloudCredentialSchemas]);

export const CredentialsSchema = z
  .record(credentialNameSchema, CredentialSchema)
  .describe('what may be lent to agents, by name; values are read from sources, never written here');

export type CredentialConfig = z.infer<typeof CredentialSchema>;
export type CredentialKindName = CredentialConfig['kind'];
/** What the config says about a credential of one kind. */
export type CredentialOptions<Kind extends CredentialKindName> = Extract<CredentialConfig, { kind: Kind }>;
