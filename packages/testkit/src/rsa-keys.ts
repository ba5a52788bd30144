import { generateKeyPairSync, type KeyObject } from 'node:crypto';

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const made: KeyPair[] = [];

/** The pair of RSA keys with this number: made once, because that takes long, and given to every test that asks. */
export function rsaKeys(number: number): KeyPair {
  const found = made[number] ?? generateKeyPairSync('rsa', { modulusLength: 2048 });
  made[number] = found;
  return found;
}
