import { type CredentialKind, IN_AUTHORIZATION } from '../kind.ts';
import { GOOGLE_HOSTS, googleFailure, mint } from './google-token.ts';
import { createTransporter } from './transporter.ts';

/** Whatever Google's library finds on this machine: a key file, the login of `gcloud`, the machine's own account. */
export const gcpAdcKind: CredentialKind<'gcp_adc'> = {
  name: 'gcp_adc',
  hosts: GOOGLE_HOSTS,
  places: IN_AUTHORIZATION,
  async prepare(_material, { scopes, token_url: tokenUrl }, context) {
    const library = await import('google-auth-library');
    try {
      const transporter = createTransporter(library, { signal: context.signal, tokenUrl });
      // Without a project the library looks for one: it runs `gcloud` and waits for a metadata server. None is used.
      const auth = new library.GoogleAuth({ scopes, projectId: 'none', clientOptions: { transporter } });
      return await mint(await auth.getClient(), context);
    } catch (error) {
      throw googleFailure(
        error,
        "using the machine's own login at Google",
        'run `gcloud auth application-default login`, or set `GOOGLE_APPLICATION_CREDENTIALS`',
      );
    }
  },
};
