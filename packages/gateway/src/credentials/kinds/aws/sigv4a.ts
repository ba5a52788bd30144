import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { SignableRequest, SignedRequest, SignerOptions, Signers } from './signers.ts';

interface LibrarySigner {
  sign(request: SignableRequest, options: { signingDate: Date }): Promise<SignedRequest>;
  getSignature(privateKey: Uint8Array, text: string): Promise<string>;
}

/** Signs heads with SigV4a, and lends the key that it derived to whoever signs the chunks. */
export interface EcdsaSigner extends LibrarySigner {
  /** Throws before the first `sign`. */
  key(): KeyObject;
}

/**
 * The library's SigV4a with the system's own ECDSA, which is faster than its JavaScript one and takes the same time
 * for every key.
 */
export function createEcdsaSigner({ SignatureV4a }: Signers, options: SignerOptions): EcdsaSigner {
  // `as`: its types call the method private that is replaced here. The tests show that it is still the one that signs.
  const Library = SignatureV4a as unknown as new (options: SignerOptions) => LibrarySigner;
  class NativeSignatureV4a extends Library implements EcdsaSigner {
    #key: KeyObject | undefined;

    override async getSignature(privateKey: Uint8Array, text: string): Promise<string> {
      this.#key = toKeyObject(privateKey);
      return sign('sha256', Buffer.from(text), this.#key).toString('hex');
    }

    key(): KeyObject {
      if (this.#key === undefined) throw new TypeError('nothing was signed yet');
      return this.#key;
    }
  }
  return new NativeSignatureV4a(options);
}

function toKeyObject(scalar: Uint8Array): KeyObject {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(scalar);
  const point = curve.getPublicKey();
  const d = Buffer.from(scalar).toString('base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33, 65).toString('base64url');
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d, x, y }, format: 'jwk' });
}
