import { SallyportError } from '@sallyport/protocol';
import type { AuthClient, gaxios } from 'google-auth-library';
import { Secret } from '../../../shared/secret.ts';
import type { PrepareContext, PreparedCredential } from '../kind.ts';
import { oneLine } from '../material.ts';
import { asBearer } from '../put.ts';

/** Where Google serves; its tokens go nowhere else unless the config names a host. */
export const GOOGLE_HOSTS = ['*.googleapis.com'] as const;

/** A token that was minted now. */
export function prepareToken(
  token: string,
  /** ms since epoch */
  expiresAt: number,
  { learn }: PrepareContext,
): PreparedCredential {
  const value = oneLine(new Secret(token));
  learn(new Secret(value));
  return { ...asBearer(value), expiresAt };
}

/** Has a client of the library mint a token. */
export async function mint(client: AuthClient, context: PrepareContext): Promise<PreparedCredential> {
  const { token } = await client.getAccessToken();
  const expiryDate = client.credentials.expiry_date;
  if (typeof token !== 'string' || token === '' || typeof expiryDate !== 'number') {
    throw new SallyportError('SecretUnreadable', { message: 'Google answered without a token that expires' });
  }
  // The library reckons with this machine's clock; the one that counts is ours.
  return prepareToken(token, context.clock.now() + (expiryDate - Date.now()), context);
}

/**
 * Makes of whatever the library threw an error for the operator.
 *
 * SECURITY: its messages quote what Google answered, and its error objects hold the request: only the status is
 * taken over.
 */
export function googleFailure(error: unknown, what: string, hint: string): SallyportError {
  if (error instanceof SallyportError) return error;
  const status = statusOf(error);
  const how = status === undefined ? 'failed' : `was answered with status ${status}`;
  return new SallyportError('SecretUnreadable', { message: `${what} ${how}`, hint });
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? error.status : undefined;
}

/** Loaded with the first credential of Google. */
export type GoogleLibrary = typeof import('google-auth-library');

/** The one address that the library has for tokens, whatever a key file says. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token';

/** What carries the library's calls: ends with `signal`, and asks for tokens where the config says. */
export function createTransporter(
  library: GoogleLibrary,
  options: { readonly signal: AbortSignal; readonly tokenUrl: string | undefined },
): gaxios.Gaxios {
  const transporter = new library.gaxios.Gaxios({ signal: options.signal });
  const { tokenUrl } = options;
  if (tokenUrl !== undefined) {
    transporter.interceptors.request.add({
      async resolved(call) {
        if (call.url.href === TOKEN_URL) call.url = new URL(tokenUrl);
        return call;
      },
    });
  }
  return transporter;
}
