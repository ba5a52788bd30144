import type { gaxios } from 'google-auth-library';

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
