import { brotliDecompressSync, constants, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { EventBody, JsonObject } from '@sallyport/protocol';
import type { Redactor } from '../redaction/redactor.ts';
import { KEPT_CHARS, READ_BYTES } from './body-tee.ts';
import { withoutNamedValues } from './named-values.ts';

/** As a program packs things; what is inside cannot be looked through for secrets. */
const PACKED: readonly Buffer[] = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0x50, 0x4b, 0x03, 0x04],
  [0x42, 0x5a, 0x68],
].map((magic) => Buffer.from(magic));
const GIT = /^application\/x-git-/i;
const WRITTEN_BYTES = (KEPT_CHARS / 4) * 3;

/**
 * What an event says about a body: its size and digest, and its beginning as text, or as base64 where it is none.
 *
 * SECURITY: only what was looked through is written. What is packed, and bytes among which a known secret stands, are
 * told by size and digest alone.
 */
export function describeBody(body: EventBody, redactor: Redactor): JsonObject {
  const { bytes, sha256, type, encoding } = body;
  const about = {
    bytes,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(type === undefined ? {} : { type }),
    ...(encoding === undefined ? {} : { encoding }),
  };
  const plain = unpacked(body);
  if (plain === undefined || GIT.test(type ?? '') || isPacked(plain)) return { ...about, withheld: 'packed' };
  const isAll = plain.length < READ_BYTES && body.start.length === bytes;
  const text = textOf(plain, isAll);
  if (text === undefined) {
    const seen = plain.toString('latin1');
    if (redactor.redactText(seen) !== seen) return { ...about, withheld: 'secret' };
    const isCut = !isAll || plain.length > WRITTEN_BYTES;
    return {
      ...about,
      base64: plain.subarray(0, WRITTEN_BYTES).toString('base64'),
      ...(isCut ? { cut: true } : {}),
    };
  }
  return { ...about, ...cutText(redactor.redactText(withoutNamedValues(text)), isAll) };
}

/** The first characters of a text from which everything was taken out already. */
export function cutText(text: string, isAll: boolean): JsonObject {
  if (isAll && text.length <= KEPT_CHARS) return { text };
  return { text: text.slice(0, KEPT_CHARS).toWellFormed(), cut: true };
}

function isPacked(bytes: Buffer): boolean {
  return PACKED.some((magic) => bytes.subarray(0, magic.length).equals(magic));
}

/** Without its content encoding, as far as its beginning goes; undefined when that cannot be taken off. */
function unpacked({ start, encoding }: EventBody): Buffer | undefined {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  // The end is missing where the body is longer than what was kept.
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: UNPACKED_BYTES };
  try {
    switch (encoding?.trim().toLowerCase()) {
      case undefined:
      case '':
      case 'identity':
        return bytes;
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, zlib).subarray(0, READ_BYTES);
      case 'deflate':
        return inflateSync(bytes, zlib).subarray(0, READ_BYTES);
      case 'br':
        return brotliDecompressSync(bytes, {
          finishFlush: constants.BROTLI_OPERATION_FLUSH,
          maxOutputLength: UNPACKED_BYTES,
        }).subarray(0, READ_BYTES);
      case 'zstd':
        return zstdDecompressSync(bytes, {
          finishFlush: constants.ZSTD_e_flush,
          maxOutputLength: UNPACKED_BYTES,
        }).subarray(0, READ_BYTES);
      // open: any coding
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

/** A bomb is not unpacked to its end, in bytes */
const UNPACKED_BYTES = 16 * 1_048_576;

const decoder = new TextDecoder('utf-8', { fatal: true });
/** No text has these, but for tabs, line ends and escapes of terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells bytes from text
const NOT_TEXT = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

function textOf(bytes: Buffer, isAll: boolean): string | undefined {
  // A cut may go through a character: up to three bytes are not looked at.
  for (let less = 0; less <= (isAll ? 0 : 3); less += 1) {
    try {
      const text = decoder.decode(bytes.subarray(0, bytes.length - less));
      return NOT_TEXT.test(text) ? undefined : text;
    } catch {
      // not at this border
    }
  }
  return undefined;
}
