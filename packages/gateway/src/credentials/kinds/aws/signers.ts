import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

/** AWS's own signers; loaded with the first credential that signs. */
export async function loadSigners() {
  const [{ getSigningKey, SignatureV4 }, { SignatureV4a }] = await Promise.all([
    import('@smithy/signature-v4'),
    import('@smithy/signature-v4a'),
  ]);
  return { getSigningKey, SignatureV4, SignatureV4a };
}

export type Signers = Awaited<ReturnType<typeof loadSigners>>;
export type SignerOptions = ConstructorParameters<Signers['SignatureV4']>[0];
export type SignableRequest = Parameters<InstanceType<Signers['SignatureV4']>['presign']>[0];
export type SignedRequest = Pick<SignableRequest, 'headers' | 'query'>;

type Bytes = string | ArrayBuffer | ArrayBufferView;

/** SHA-256, or HMAC with it when there is a key, as AWS's libraries want it. */
export class NodeSha256 {
  readonly #hash: Hash | Hmac;

  constructor(key?: Bytes) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', view(key));
  }

  update(data: Bytes): void {
    this.#hash.update(view(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function view(data: Bytes): string | Uint8Array {
  if (typeof data === 'string' || data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
