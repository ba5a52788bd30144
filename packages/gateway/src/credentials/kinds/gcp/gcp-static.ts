import type { JWT } from 'google-auth-library';
import { z } from 'zod';
import { Secret } from '../../../shared/secret.ts';
import { type CredentialKind, IN_AUTHORIZATION, type PrepareContext } from '../kind.ts';
import { jsonMaterial } from '../material.ts';
import { createTransporter, GOOGLE_HOSTS, type GoogleLibrary, googleFailure, mint } from './google-token.ts';

const KeyFileSchema = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(3).max(300),
  private_key: z.string().includes('PRIVATE KEY'),
  private_key_id: z.string().max(300).optional(),
});

/** A client of the library that mints tokens with the JSON key of a service account. */
export function serviceAccountClient(
  library: GoogleLibrary,
  material: Secret | undefined,
  options: { readonly scopes: readonly string[]; readonly token_url?: string | undefined },
  { learn, signal }: PrepareContext,
): JWT {
  const key = jsonMaterial(material, KeyFileSchema, 'the JSON key of a service account');
  learn(new Secret(key.private_key));
  return new library.JWT({
    email: key.client_email,
    key: key.private_key,
    ...(key.private_key_id === undefined ? {} : { keyId: key.private_key_id }),
    scopes: [...options.scopes],
    transporter: createTransporter(library, { signal, tokenUrl: options.token_url }),
  });
}

/** A service account: its key signs an assertion, which Google changes for a token of an hour. */
export const gcpStaticKind: CredentialKind<'gcp_static'> = {
  name: 'gcp_static',
  hosts: GOOGLE_HOSTS,
  places: IN_AUTHORIZATION,
  async prepare(material, options, context) {
    const library = await import('google-auth-library');
    try {
      return await mint(serviceAccountClient(library, material, options, context), context);
    } catch (error) {
      throw googleFailure(error, 'minting a token of Google', 'check that the key is whole and not revoked');
    }
  },
};
