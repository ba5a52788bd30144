import type { Secret } from '../shared/secret.ts';
import { hashToken, sameHash } from './tokens.ts';

/** The operator's token as the gateway keeps it in memory: its hash. */
export class OperatorToken {
  readonly #hash: string;

  /** `value` is the content of `operator.token`; white space around it is not part of it. */
  constructor(value: Secret) {
    this.#hash = hashToken(value.reveal().trim());
  }

  // SECURITY: hashes are compared, so neither length nor content of the token shows in the time.
  matches(presented: string): boolean {
    return sameHash(hashToken(presented), this.#hash);
  }
}
