import { z } from 'zod';

/** An absolute `http(s)` URL without user, password or fragment. */
export const httpUrlSchema = z.string().max(2_048).refine(isHttpUrl, {
  error: 'expected a URL like `https://example.com/path`, without user or password in it',
});

/** Names of this machine. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/** https, unless the other end is on this machine: what goes there decides or holds a secret. */
export const safeUrlSchema = httpUrlSchema.refine(
  (text) => {
    const url = URL.parse(text);
    return url === null || url.protocol === 'https:' || LOOPBACK.test(url.hostname.replace(/^\[|\]$/g, ''));
  },
  { error: 'beyond this machine only `https://` is taken' },
);

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.hash === ''
  );
}
