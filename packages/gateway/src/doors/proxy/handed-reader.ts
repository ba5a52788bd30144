import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { Header } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';

/** Bodies in which hosts write addresses; a stream of events has no end that could be waited for. */
const READABLE = /^(?:application\/(?:[\w.-]+\+)?(?:json|xml)|text\/(?:html|plain|xml|csv|markdown))\b/i;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;
/** How far a body is read. */
const READ_AT_MOST = 1_048_576;
/** A packed one is held until it is whole: how much of it, and how much it may become. */
const PACKED_AT_MOST = 65_536;
const UNPACKED_AT_MOST = 1_048_576;
/** An address that begins in one piece ends in the next. */
const OVERLAP = 8_192;
/**
 * What a signed URL has in its query, one way or another: a body without any of them is not looked at further. One pattern
 * takes a fifth of the time of one search after the other.
 */
const MARKS = /ignature|sig=|[tT]oken=|hmac=|jwt=/;

const EQUALS = 0x3d;

const UNPACK: Readonly<Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer>> =
  {
    gzip: gunzipSync,
    'x-gzip': gunzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
    zstd: zstdDecompressSync,
  };

/** Reads a body on its way for signed URLs. */
export interface HandedReader {
  onBody(chunk: Uint8Array): void;
  onEnd(): void;
}

/** Undefined for a body that hands nothing over. `tell` gets text that may hold signed URLs. */
export function createHandedReader(
  headers: readonly Header[],
  tell: (text: string) => void,
): HandedReader | undefined {
  let type = '';
  let coding = '';
  for (const header of headers) {
    if (header[0].length === 12 && lowerFieldName(header[0]) === 'content-type') type = header[1];
    else if (header[0].length === 16 && lowerFieldName(header[0]) === 'content-encoding')
      coding = header[1].trim().toLowerCase();
  }
  if (!READABLE.test(type)) return undefined;
  if (coding === '' || coding === 'identity') return new PlainReader(tell);
  const unpack = Object.hasOwn(UNPACK, coding) ? UNPACK[coding] : undefined;
  return unpack === undefined || !JSON_TYPE.test(type) ? undefined : new PackedReader(unpack, tell);
}

class PlainReader implements HandedReader {
  readonly #tell: (text: string) => void;
  #left = READ_AT_MOST;
  #last: Buffer | undefined;

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  onBody(chunk: Uint8Array): void {
    if (this.#left <= 0) return;
    this.#left -= chunk.length;
    const piece = Buffer.isBuffer(chunk)
      ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const whole = this.#last === undefined ? piece : Buffer.concat([this.#last.subarray(-OVERLAP), piece]);
    readPiece(whole, this.#tell);
    this.#last = whole;
  }

  onEnd(): void {
    this.#left = 0;
    this.#last = undefined;
  }
}

class PackedReader implements HandedReader {
  readonly #unpack: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer;
  readonly #tell: (text: string) => void;
  #chunks: Uint8Array[] | undefined = [];
  #bytes = 0;

  constructor(
    unpack: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer,
    tell: (text: string) => void,
  ) {
    this.#unpack = unpack;
    this.#tell = tell;
  }

  onBody(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > PACKED_AT_MOST) this.#chunks = undefined;
    this.#chunks?.push(Uint8Array.from(chunk));
  }

  onEnd(): void {
    if (this.#chunks === undefined || this.#bytes === 0) return;
    try {
      readPiece(this.#unpack(Buffer.concat(this.#chunks), { maxOutputLength: UNPACKED_AT_MOST }), this.#tell);
    } catch {
      // Packed in another way, or too much: then it hands nothing over.
    }
    this.#chunks = undefined;
  }
}

function readPiece(piece: Buffer, tell: (text: string) => void): void {
  if (!piece.includes(EQUALS)) return;
  const text = piece.toString('latin1');
  if (!MARKS.test(text)) return;
  // As JSON and HTML write what stands in an address.
  tell(
    text
      .replaceAll(/\\u0026/gi, '&')
      .replaceAll('\\/', '/')
      .replaceAll('&amp;', '&'),
  );
}
