import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';

const made: KeyPairKeyObjectResult[] = [];

/** The pair of RSA keys with this number: made once, because that takes long, and given to every test that asks. */
export function rsaKeys(number: number): KeyPairKeyObjectResult {
  const found = made[number] ?? generateKeyPairSync('rsa', { modulusLength: 2048 });
  made[number] = found;
  return found;
}
