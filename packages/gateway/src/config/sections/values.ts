import { z } from 'zod';
import { parseDuration } from '../../shared/duration.ts';
import { parseDomainPattern } from '../../shared/host.ts';

/** What can keep programs apart. Each has its definition in `sandbox/backends.ts`: a name without one does not compile. */
const BACKEND_NAMES = ['bubblewrap'] as const;
export type BackendName = (typeof BACKEND_NAMES)[number];

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Name of a tenant, user, agent, role, channel or credential: safe in paths, URLs, logs and rules. */
export const nameSchema = z
  .string()
  .regex(NAME, 'a name has letters, digits, `.`, `_`, `-`, starts with a letter or digit, at most 64 long');

/** A length of time in words: `30s`, `1h30m`. Stays text in the config; `durationMs` reads it. */
export const durationSchema = z.string().refine((text) => parseDuration(text) !== undefined, {
  error: 'not a duration',
  params: { hint: 'write a number with its unit: `500ms`, `30s`, `15m`, `1h30m`, `7d`' },
});

/** Headers that frame or route a message: nobody may set or strip them by config. */
const RESERVED = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;

export const headerNameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'not the name of a header')
  .refine((name) => !RESERVED.test(name), { error: 'this header belongs to the connection' });

/** `api.example.com`, `*.example.com` or an address. */
export const hostPatternSchema = z
  .string()
  .max(260)
  .refine((text) => parseDomainPattern(text) !== undefined, {
    error: 'not a host',
    params: { hint: 'write `api.example.com`, or `*.example.com` for all hosts below it; no port, no path' },
  });

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

const ENV_OR_FILE = 'env:[A-Za-z_][A-Za-z0-9_]{0,127}|file:[^\\0\\r\\n]{1,1024}';
const GROUND = new RegExp(`^(?:${ENV_OR_FILE})$`);
const ANY = new RegExp(`^(?:${ENV_OR_FILE}|secret:[A-Za-z0-9][A-Za-z0-9._:-]{0,127})$`);

function referenceSchema(pattern: RegExp, hint: string) {
  // SECURITY: the message repeats nothing of the text, because what fails here is often a pasted secret.
  return z.string().refine((text) => pattern.test(text), {
    error: 'a secret is not written in the config; name where it is read from',
    params: { confidential: true, hint },
  });
}

/** Where a secret is read from; never the secret itself. `secret:` names a credential of the tenant `default`. */
export const secretReferenceSchema = referenceSchema(
  ANY,
  'use `env:NAME`, `file:path` (mode 0600, relative to the home) or `secret:NAME` (a credential)',
);

/** The same, for what is opened before there are credentials: the trail, which records their use. */
export const groundSecretReferenceSchema = referenceSchema(
  GROUND,
  'use `env:NAME` or `file:path` (mode 0600, relative to the home)',
);
