import { z } from 'zod';

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
