import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Secret } from '../../shared/secret.ts';

/**
 * The key of the one-time tokens on buttons, in mails and in links.
 *
 * Derived from the operator token, so that it is the same after a restart and known to nobody who may not decide
 * anyway; a new operator token makes every older button and link worthless.
 */
export function deriveAnswerKey(operatorToken: Secret): KeyObject {
  const bytes = hkdfSync('sha256', operatorToken.reveal(), '', 'sallyport approval channels v1', 32);
  return createSecretKey(Buffer.from(bytes));
}
