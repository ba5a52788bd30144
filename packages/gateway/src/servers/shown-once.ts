import type { Secret } from '../shared/secret.ts';

/** The one place where the API lets a secret out: in the answer that creates it, to whoever asked for it. */
export function showOnce(secret: Secret): string {
  return secret.reveal();
}
