import { SallyportError } from '@sallyport/protocol';
import { WRITE_BYTES } from '../../tools/index.ts';

export type ContentEncoding = 'utf8' | 'base64';

/** The bytes that a text stands for. Throws `BadRequest` for what is not base64, `PayloadTooLarge` for too many. */
export function bytesOf(content: string, encoding: ContentEncoding): Buffer {
  // Four characters for three bytes: known before anything is decoded.
  const size = encoding === 'base64' ? (content.length / 4) * 3 - 2 : Buffer.byteLength(content);
  if (size > WRITE_BYTES) {
    throw new SallyportError('PayloadTooLarge', {
      message: `a file can be written with ${WRITE_BYTES} bytes at most`,
    });
  }
  if (encoding === 'utf8') return Buffer.from(content);
  const bytes = Buffer.from(content, 'base64');
  // The decoder skips what it does not know: what a person saw must be what is written.
  if (bytes.toString('base64') !== content)
    throw new SallyportError('BadRequest', {
      message: '`content` is not base64',
      hint: 'use padding and no line breaks',
    });
  return bytes;
}

/** A piece of a file as text, and how many of its bytes are in it: a character that is cut at the end is left out. */
export function textOf(
  bytes: Buffer,
  encoding: ContentEncoding,
  isEnd: boolean,
): { readonly content: string; readonly bytesRead: number } {
  if (encoding === 'base64') return { content: bytes.toString('base64'), bytesRead: bytes.length };
  const whole = isEnd ? bytes : bytes.subarray(0, bytes.length - cutBytes(bytes));
  try {
    return { content: DECODER.decode(whole), bytesRead: whole.length };
  } catch {
    throw new SallyportError('Unprocessable', {
      message: 'the file is not UTF-8 text',
      hint: 'read it with `encoding: base64`, or from the start of a character',
    });
  }
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** How many bytes at the end begin a character that goes on after them. */
function cutBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
