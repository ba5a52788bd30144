import type { Form } from './forms.ts';

/** The bytes end before it can be known. */
export const PARTIAL = -1;
export const NO = -2;

const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;

/** Longest spelling of one letter: `\u0061`. */
export const LONGEST_LETTER = 6;

/** What a backslash and this byte stand for. */
const ESCAPED: Readonly<Record<number, number>> = {
  34: 0x22, // "
  92: 0x5c, // \
  47: 0x2f, // /
  98: 0x08, // b
  102: 0x0c, // f
  110: 0x0a, // n
  114: 0x0d, // r
  116: 0x09, // t
};

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

/** Where the escape at `at` ends when it stands for the letter; `PARTIAL` or `NO` otherwise. */
function escapeEnd(bytes: Uint8Array, at: number, letter: number, other: number): number {
  if (bytes[at] === PERCENT) return hexEnd(bytes, at + 1, 2, letter, other);
  if (at + 1 >= bytes.length) return PARTIAL;
  const next = bytes[at + 1] ?? 0;
  if (next === SMALL_U) return hexEnd(bytes, at + 2, 4, letter, other);
  const meant = ESCAPED[next];
  return meant !== undefined && (meant === letter || meant === other) ? at + 2 : NO;
}

function hexEnd(bytes: Uint8Array, at: number, digits: number, letter: number, other: number): number {
  let value = 0;
  for (let index = 0; index < digits; index += 1) {
    if (at + index >= bytes.length) return PARTIAL;
    const digit = hexDigit(bytes[at + index] ?? 0);
    if (digit === -1) return NO;
    value = value * 16 + digit;
  }
  return value === letter || (other !== 0 && value === other) ? at + digits : NO;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
