import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type GatewayAnswer, SallyportError, SEAL_PROTOCOL, type SignedAnswer } from '@sallyport/protocol';
import { readSecretFile, writeSecretFile } from '../../config/index.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { Clock } from '../../shared/clock.ts';
import { Secret } from '../../shared/secret.ts';

/** The gateway's own Ed25519 key: signs security tokens and answers. */
export interface SealKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** 32 bytes, base64url: what a worker is handed with its secret */
  readonly publicText: string;
  /** base64url */
  sign(text: string): string;
}

/**
 * Reads the key from its file (PKCS8 PEM, mode 0600), or makes one where there is none.
 *
 * Refuses a key that others can read (`SecretExposed`) and one that is not Ed25519 (`SecretUnreadable`).
 */
export function loadSealKey(file: string): SealKey {
  const privateKey = existsSync(file) ? readKey(file) : makeKey(file);
  const publicKey = createPublicKey(privateKey);
  return {
    privateKey,
    publicKey,
    publicText: publicKeyText(publicKey),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  };
}

/** Signs what the gateway says, so that a worker does what its gateway told it, and nothing else. */
export function signAnswer(payload: GatewayAnswer, key: SealKey, clock: Clock): SignedAnswer {
  const timestamp = new Date(clock.now()).toISOString();
  return {
    protocol: SEAL_PROTOCOL,
    payload,
    timestamp,
    signature: key.sign(canonicalJson({ payload, timestamp })),
  };
}

function readKey(file: string): KeyObject {
  let key: KeyObject | undefined;
  const pem = readSecretFile(file);
  try {
    key = createPrivateKey(pem.reveal());
  } catch {
    key = undefined;
  }
  if (key?.asymmetricKeyType !== 'ed25519') {
    throw new SallyportError('SecretUnreadable', {
      message: `the key \`${file}\` is not an Ed25519 key in PKCS8 PEM`,
      hint: 'move it away: the next start makes a new one, and every worker attests again',
    });
  }
  return key;
}

function makeKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trimEnd();
  writeSecretFile(file, new Secret(pem), { exclusive: true });
  return privateKey;
}

/** The 32 bytes of an Ed25519 public key in base64url. */
export function publicKeyText(key: KeyObject): string {
  return String(key.export({ format: 'jwk' }).x);
}

/** The key that such a text names. Throws `AttestationRefused` for what is none. */
export function publicKeyOf(text: string): KeyObject {
  try {
    return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: text } });
  } catch (cause) {
    throw new SallyportError('AttestationRefused', {
      message: 'the public key is not an Ed25519 key',
      hint: 'send its 32 bytes in base64url',
      cause,
    });
  }
}
