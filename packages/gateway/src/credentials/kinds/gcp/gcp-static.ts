import { type CredentialKind, IN_AUTHORIZATION } from '../kind.ts';
import { GOOGLE_HOSTS, googleFailure, mint } from './google-token.ts';
import { serviceAccountClient } from './service-account.ts';

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
