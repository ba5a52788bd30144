import { createHash, createHmac, type KeyObject, sign } from 'node:crypto';

/** Signs the chunks of one body, each over the signature before it. */
export interface ChunkSigner {
  /** characters of every signature on the wire */
  readonly length: number;
  /** signature of the next chunk of data, empty for the last one */
  chunk(data: Uint8Array): string;
  /** signature of the trailer; `canonical` is `name:value\n` for each field */
  trailer(canonical: string): string;
}

interface SignerOptions {
  /** `AWS4-HMAC-SHA256` or `AWS4-ECDSA-P256-SHA256` */
  readonly algorithm: string;
  /** `x-amz-date` of the head */
  readonly longDate: string;
  readonly scope: string;
  /** signature of the head */
  readonly seed: string;
}

const EMPTY_HASH = sha256('');
/** longest DER form of a P-256 signature, in hex; shorter ones are padded, so that sizes are known beforehand */
const LONGEST_ECDSA = 144;

export function hmacChunkSigner(key: Uint8Array, options: SignerOptions): ChunkSigner {
  return chained(options, 64, (text) => createHmac('sha256', key).update(text).digest('hex'));
}

export function ecdsaChunkSigner(key: KeyObject, options: SignerOptions): ChunkSigner {
  return chained(options, LONGEST_ECDSA, (text) => sign('sha256', Buffer.from(text), key).toString('hex'));
}

function chained(options: SignerOptions, length: number, signText: (text: string) => string): ChunkSigner {
  const { algorithm, longDate, scope } = options;
  let previous = options.seed;
  const next = (suffix: string, hashes: readonly string[]): string => {
    previous = signText([`${algorithm}-${suffix}`, longDate, scope, previous, ...hashes].join('\n'));
    return previous.padEnd(length, '*');
  };
  return {
    length,
    chunk: (data) => next('PAYLOAD', [EMPTY_HASH, sha256(data)]),
    trailer: (canonical) => next('TRAILER', [sha256(canonical)]),
  };
}

function sha256(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}
