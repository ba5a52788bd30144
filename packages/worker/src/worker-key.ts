import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import canonicalize from 'canonicalize';

/** The worker's own Ed25519 key. It is made here, never leaves this process, and ends with it. */
export class WorkerKey {
  readonly #privateKey: KeyObject;
  /** 32 bytes, base64url */
  readonly publicText: string;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.#privateKey = privateKey;
    this.publicText = String(publicKey.export({ format: 'jwk' }).x);
  }

  /** base64url of the signature over the RFC 8785 JSON. */
  sign(value: unknown): string {
    return sign(null, canonicalBytes(value), this.#privateKey).toString('base64url');
  }
}

/** Whether the holder of this public key signed the value. */
export function isSignedBy(publicText: string, value: unknown, signature: string): boolean {
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicText } });
  return verify(null, canonicalBytes(value), key, Buffer.from(signature, 'base64url'));
}

export function newNonce(): string {
  return randomBytes(18).toString('base64url');
}

function canonicalBytes(value: unknown): Uint8Array {
  return Buffer.from(String(canonicalize(value)));
}
