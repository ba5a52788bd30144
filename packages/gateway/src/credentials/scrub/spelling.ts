import type { Form } from './forms.ts';

/** The bytes end before it can be known. */
export const PARTIAL = -1;
export const NO = -2;

const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;

/** Longest spelling of one letter: `\u0061`. */
export const LONGEST_LETTER = 6;

/** What a backslash and this byte stand for; `NO`: nothing. */
const ESCAPED = new Int16Array(256).fill(NO);
for (const [index, letter] of [...'"\\/bfnrt'].entries())
  ESCAPED[letter.charCodeAt(0)] = '"\\/\b\f\n\r\t'.charCodeAt(index);

/**
 * Whether `bytes` at `at` spell the form. Each letter may stand as it is, percent-encoded, or escaped as in JSON, in
 * any mixture: whoever answers chooses, not we. Returns where the spelling ends, `PARTIAL` or `NO`.
 */
export function spells(form: Form, bytes: Uint8Array, at: number, from = 0): number {
  const { letters, others } = form;
  let position = at;
  for (let index = from; index < letters.length; index += 1) {
    if (position >= bytes.length) return PARTIAL;
    const letter = letters[index] ?? 0;
    const other = others[index] ?? 0;
    const byte = bytes[position] ?? 0;
    const isEscape = byte === PERCENT || byte === BACKSLASH;
    if (byte === letter || (other !== 0 && byte === other)) {
      if (isEscape) {
        // The sign may be a letter of the value, or begin an escape of that letter: both are tried.
        const raw = spells(form, bytes, position + 1, index + 1);
        if (raw >= 0) return raw;
        const end = escapeEnd(bytes, position, letter, other);
        const escaped = end < 0 ? end : spells(form, bytes, end, index + 1);
        return Math.max(raw, escaped);
      }
      position += 1;
      continue;
    }
    if (!isEscape) return NO;
    const end = escapeEnd(bytes, position, letter, other);
    if (end < 0) return end;
    position = end;
  }
  return position;
}

/** The byte that the escape at `at` stands for; negative when it is none, or not all there. */
export function escapedByte(bytes: Uint8Array, at: number): number {
  if (bytes[at] === PERCENT) return hexValue(bytes, at + 1, 2);
  if (at + 1 >= bytes.length) return PARTIAL;
  const next = bytes[at + 1] ?? 0;
  return next === SMALL_U ? hexValue(bytes, at + 2, 4) : (ESCAPED[next] ?? NO);
}

/** Where the escape at `at` ends when it stands for the letter; `PARTIAL` or `NO` otherwise. */
function escapeEnd(bytes: Uint8Array, at: number, letter: number, other: number): number {
  const meant = escapedByte(bytes, at);
  if (meant < 0) return meant;
  if (meant !== letter && (other === 0 || meant !== other)) return NO;
  if (bytes[at] === PERCENT) return at + 3;
  return at + (bytes[at + 1] === SMALL_U ? LONGEST_LETTER : 2);
}

function hexValue(bytes: Uint8Array, at: number, digits: number): number {
  let value = 0;
  for (let index = 0; index < digits; index += 1) {
    if (at + index >= bytes.length) return PARTIAL;
    const digit = hexDigit(bytes[at + index] ?? 0);
    if (digit === -1) return NO;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
