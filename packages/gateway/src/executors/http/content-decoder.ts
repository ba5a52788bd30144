import type { Duplex, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** Codings that can be looked into; what a routed host is asked for. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};
const CODINGS_AT_MOST = 3;

/** What a body is wrapped in, the outermost last; `unknown` when it cannot be looked into. */
export function codingsOf(value: string): readonly string[] | 'unknown' {
  const names = value
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const isKnown = names.length <= CODINGS_AT_MOST && names.every((name) => Object.hasOwn(DECODERS, name));
  return isKnown ? names : 'unknown';
}

/** Unwraps a body. Memory stays flat: what cannot be passed on yet is not read. */
export function createContentDecoder(codings: readonly string[]): Duplex {
  const [first, ...rest] = codings.toReversed().map((name) => DECODERS[name]?.());
  if (first === undefined) throw new RangeError('nothing to decode');
  return rest
    .filter((stream) => stream !== undefined)
    .reduce<Duplex>((stream, next) => stream.compose(next), first);
}
