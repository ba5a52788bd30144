import type { Secret } from '../shared/secret.ts';
import { hashToken, sameHash } from './tokens.ts';

/** The operator's token as the gateway keeps it in memory: its hash. */
export class OperatorToken {
  readonly #hash: string;

  /** `value` is the token itself: whoever read the file has cut off the line end. */
  constructor(value: Secret) {
    this.#hash = hashToken(value);
  }

  // SECURITY: hashes are compared, so neither length nor content of the token shows in the time.
  matches(presented: string): boolean {
    return sameHash(hashToken(presented), this.#hash);
  }
}
