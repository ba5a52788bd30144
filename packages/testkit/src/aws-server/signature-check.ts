import { createECDH, createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

/** Says whether a signature over a text is right, for one key and one scope. */
export type SignatureCheck = (text: string, signature: string) => boolean;

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export function hmacCheck(secret: string, scope: readonly string[]): SignatureCheck {
  let key: Buffer = Buffer.from(`AWS4${secret}`);
  for (const part of scope) key = createHmac('sha256', key).update(part).digest();
  return (text, signature) => {
    const expected = createHmac('sha256', key).update(text).digest();
    const given = Buffer.from(signature, 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}

/** SigV4a: the pair of keys follows from id and secret; only the public half is used here. */
export function ecdsaCheck(accessKeyId: string, secret: string): SignatureCheck {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(deriveScalar(accessKeyId, secret));
  const point = curve.getPublicKey();
  const key = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  return (text, signature) => {
    const trimmed = signature.replace(/\*+$/, '');
    if (!/^(?:[0-9a-f]{2})+$/.test(trimmed)) return false;
    return verify('sha256', Buffer.from(text), key, Buffer.from(trimmed, 'hex'));
  };
}

function deriveScalar(accessKeyId: string, secret: string): Buffer {
  for (let counter = 1; counter < 255; counter++) {
    const input = Buffer.concat([
      Buffer.from([0, 0, 0, 1]),
      Buffer.from('AWS4-ECDSA-P256-SHA256'),
      Buffer.from([0]),
      Buffer.from(accessKeyId),
      Buffer.from([counter, 0, 0, 1, 0]),
    ]);
    const candidate = BigInt(`0x${createHmac('sha256', `AWS4A${secret}`).update(input).digest('hex')}`);
    if (candidate > ORDER - 2n) continue;
    return Buffer.from((candidate + 1n).toString(16).padStart(64, '0'), 'hex');
  }
  throw new Error('no key can be derived');
}
