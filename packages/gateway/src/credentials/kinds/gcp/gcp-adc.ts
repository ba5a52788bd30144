import { type CredentialKind, IN_AUTHORIZATION } from '../kind.ts';
import { createTransporter, loadGcpPart } from './gcp-part.ts';
import { GOOGLE_HOSTS, googleFailure, mint } from './google-token.ts';

/** Whatever Google's library finds on this machine: a key file, the login of `gcloud`, the machine's own account. */
export const gcpAdcKind: CredentialKind<'gcp_adc'> = {
  name: 'gcp_adc',
  hosts: GOOGLE_HOSTS,
  places: IN_AUTHORIZATION,
  async prepare(_material, { scopes, token_url: tokenUrl }, context) {
    const part = await loadGcpPart('the credential kind `gcp_adc`');
    try {
      const transporter = createTransporter(part, { signal: context.signal, tokenUrl });
      // Without a project the library looks for one: it runs `gcloud` and waits for a metadata server. None is used.
      const auth = new part.GoogleAuth({ scopes, projectId: 'none', clientOptions: { transporter } });
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
