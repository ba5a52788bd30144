import { parseHost } from '../../shared/host.ts';
import type { HttpRequestHead } from '../http/index.ts';
import { TargetRefusal } from './tool-target.ts';

// SECURITY: a backslash, a space or a slash too few is read in several ways: whoever dials must find the host that was
// judged.
const ONE_READING = /^https?:\/\/[^/?#\\\s\p{Cc}]+(?:[/?#]|$)/iu;

/** The request that a tool makes which is given an address. */
export function requestOf(text: string): HttpRequestHead {
  const url = ONE_READING.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const scheme = url?.protocol === 'http:' ? 'http' : url?.protocol === 'https:' ? 'https' : undefined;
  const host = url === undefined ? undefined : parseHost(url.hostname);
  if (
    url === undefined ||
    scheme === undefined ||
    host === undefined ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new TargetRefusal({ code: 'Malformed', message: 'the URL must be a plain http or https address' });
  }
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port);
  return {
    scheme,
    host: host.text,
    port,
    method: 'GET',
    target: `${url.pathname}${url.search}`,
    headers: [],
    bodyComplete: true,
  };
}
