import { SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import { Secret } from '../../../shared/secret.ts';
import { type CredentialKind, IN_AUTHORIZATION } from '../kind.ts';
import { wrong } from '../material.ts';
import { asGithubToken, GITHUB_HOSTS } from '../plain-kinds.ts';

const AnswerSchema = z.object({ token: z.string().min(1), expires_at: z.iso.datetime({ offset: true }) });

/** An installation of a GitHub App: its key signs a JWT, which GitHub changes for a token of an hour. */
export const githubAppKind: CredentialKind<'github_app'> = {
  name: 'github_app',
  hosts: GITHUB_HOSTS,
  places: IN_AUTHORIZATION,
  async prepare(material, options, context) {
    const privateKey = material?.reveal().trim() ?? '';
    if (!privateKey.includes('PRIVATE KEY')) throw wrong('is not the private key of a GitHub App (PEM)');
    const { createAppAuth } = await import('@octokit/auth-app');
    const { request } = await import('@octokit/request');
    const { clock, learn, signal } = context;
    try {
      const timeDifference = Math.round((clock.now() - Date.now()) / 1_000);
      const auth = createAppAuth({ appId: options.app_id, privateKey, timeDifference });
      const app = await auth({ type: 'app' });
      learn(new Secret(app.token));
      // SECURITY: the library could fetch the token, too, but calls under way are shared by installation alone:
      // an app of one tenant would be handed what was fetched for another.
      const { data } = await request('POST /app/installations/{installation_id}/access_tokens', {
        baseUrl: (options.api_url ?? 'https://api.github.com').replace(/\/$/, ''),
        installation_id: options.installation_id,
        ...(options.repositories === undefined ? {} : { repositories: options.repositories }),
        ...(options.permissions === undefined ? {} : { permissions: options.permissions }),
        headers: { authorization: `bearer ${app.token}` },
        request: { signal, redirect: 'error' },
      });
      const answer = AnswerSchema.safeParse(data);
      if (!answer.success) throw wrong('opens an installation for which GitHub gave no token');
      const prepared = asGithubToken(answer.data.token, learn);
      return { ...prepared, expiresAt: Date.parse(answer.data.expires_at) };
    } catch (error) {
      throw failure(error);
    }
  },
};

/** SECURITY: errors of the library hold the request with its JWT: only the status is taken over. */
function failure(error: unknown): SallyportError {
  if (error instanceof SallyportError) return error;
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return new SallyportError('SecretUnreadable', {
    message: `getting a token of the installation ${typeof status === 'number' ? `was answered with status ${status}` : 'failed'}`,
    hint: 'check the private key, `app_id`, `installation_id`, and that the app is still installed there',
  });
}
