import { z } from 'zod';

const REFERENCE = /^(?:env:[A-Za-z_][A-Za-z0-9_]{0,127}|file:[^\0\r\n]{1,1024})$/;

/** Whether a text names where a secret is read from. */
function isSecretReference(text: string): boolean {
  return REFERENCE.test(text);
}

/**
 * Where a secret is read from; never the secret itself.
 *
 * SECURITY: the message repeats nothing of the text, because what fails here is often a pasted secret.
 */
export const secretReferenceSchema = z.string().refine(isSecretReference, {
  error: 'a secret is not written in the config; name where it is read from',
  params: {
    confidential: true,
    hint: 'use `env:NAME` or `file:path` (mode 0600, relative to the home)',
  },
});
