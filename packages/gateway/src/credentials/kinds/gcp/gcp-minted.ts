import { z } from 'zod';
import { type CredentialKind, IN_AUTHORIZATION } from '../kind.ts';
import { wrong } from '../material.ts';
import { serviceAccountClient } from './gcp-static.ts';
import { createTransporter, GOOGLE_HOSTS, googleFailure, mint, prepareToken } from './google-token.ts';

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

const ENDPOINT = 'https://iamcredentials.googleapis.com';
const CLOUD_PLATFORM = 'https://www.googleapis.com/auth/cloud-platform';
const AnswerSchema = z.object({
  accessToken: z.string().min(1),
  expireTime: z.iso.datetime({ offset: true }),
});

/** A service account without a key of its own here: another one, whose key the source holds, gets its tokens. */
export const gcpImpersonateKind: CredentialKind<'gcp_impersonate'> = {
  name: 'gcp_impersonate',
  hosts: GOOGLE_HOSTS,
  places: IN_AUTHORIZATION,
  async prepare(material, options, context) {
    const library = await import('google-auth-library');
    const { account, endpoint = ENDPOINT, lifetime, scopes, token_url } = options;
    try {
      const source = serviceAccountClient(
        library,
        material,
        { scopes: [CLOUD_PLATFORM], token_url },
        context,
      );
      const { data } = await source.request({
        url: `${endpoint.replace(/\/$/, '')}/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
        method: 'POST',
        data: { scope: scopes, lifetime: `${lifetime}s` },
        retry: false,
      });
      const answer = AnswerSchema.safeParse(data);
      if (!answer.success) throw wrong('opens an account for which Google gave no token');
      const { accessToken, expireTime } = answer.data;
      return prepareToken(accessToken, Date.parse(expireTime), context);
    } catch (error) {
      throw googleFailure(
        error,
        `impersonating \`${account}\``,
        'the key of the source needs the role Service Account Token Creator on that account',
      );
    }
  },
};
