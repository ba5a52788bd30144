import { z } from 'zod';

/** An absolute `http(s)` URL without user, password or fragment. */
export const httpUrlSchema = z.string().max(2_048).refine(isHttpUrl, {
  error: 'expected a URL like `https://example.com/path`, without user or password in it',
});

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
