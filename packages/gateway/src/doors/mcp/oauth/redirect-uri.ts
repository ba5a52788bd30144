/** Where a browser takes the answer to a program: always a port of the browser's own machine. */
export interface RedirectUri {
  readonly text: string;
  readonly host: string;
  readonly port: string;
  readonly rest: string;
}

// SECURITY: spelled out, not parsed by a URL library: user info, fragments, backslashes, encoded or other hosts have
// no place in it, so no two readers can see two hosts.
const LOOPBACK =
  /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9]\d{0,4}))?(\/[\w.~!$&'()*+,;=:@%/-]*(?:\?[\w.~!$&'()*+,;=:@%/?-]*)?)?$/;
const LENGTH_AT_MOST = 256;

/** The parts of a loopback address; undefined for every other text. */
export function parseRedirectUri(text: string): RedirectUri | undefined {
  if (text.length > LENGTH_AT_MOST) return undefined;
  const [, host, port = '', rest = ''] = LOOPBACK.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { text, host, port, rest };
}

/**
 * Whether an address is one that the client registered: the same text, or the same but for the port of an IP literal,
 * which a program gets from its system each time (RFC 8252, 7.3).
 */
export function matchesRedirectUri(registered: string, asked: RedirectUri): boolean {
  if (registered === asked.text) return true;
  const known = parseRedirectUri(registered);
  if (known === undefined || known.host === 'localhost') return false;
  return known.host === asked.host && known.rest === asked.rest;
}
