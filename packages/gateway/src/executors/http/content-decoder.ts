import type { Duplex, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Header } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';

/** Codings that can be looked into; what a routed host is asked for. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};
const CODINGS_AT_MOST = 3;
const NONE: readonly string[] = [];

/** These say how the messages inside a body are packed, one by one: nothing here opens them. */
const OF_MESSAGES: ReadonlySet<string> = new Set(['grpc-encoding', 'connect-content-encoding']);

/** What a body is wrapped in, the outermost last; `unknown` when it cannot be looked into. */
export function codingsOf(headers: readonly Header[]): readonly string[] | 'unknown' {
  let names = NONE;
  for (const header of headers) {
    const lower = lowerFieldName(header[0]);
    // SECURITY: every field of that name counts: a client reads all of them as one list.
    if (lower === 'content-encoding') names = [...names, ...namesIn(header[1])];
    else if (OF_MESSAGES.has(lower) && namesIn(header[1]).length > 0) return 'unknown';
  }
  if (names.length === 0) return NONE;
  const isKnown = names.length <= CODINGS_AT_MOST && names.every((name) => Object.hasOwn(DECODERS, name));
  return isKnown ? names : 'unknown';
}

function namesIn(value: string): readonly string[] {
  return value
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

/** Unwraps a body. Memory stays flat: what cannot be passed on yet is not read. */
export function createContentDecoder(codings: readonly string[]): Duplex {
  const [first, ...rest] = codings.toReversed().map((name) => DECODERS[name]?.());
  if (first === undefined) throw new RangeError('nothing to decode');
  return rest
    .filter((stream) => stream !== undefined)
    .reduce<Duplex>((stream, next) => stream.compose(next), first);
}
