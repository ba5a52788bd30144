import type { Secret } from '../../shared/secret.ts';

/** One way to write a secret, letter by letter. Each letter may still be spelled as an escape. */
export interface Form {
  /** for each letter the bytes that may stand for it; the second is 0 when there is one only */
  readonly letters: Uint8Array;
  readonly others: Uint8Array;
}

/** Shorter values are not looked for: they would be found in what is no secret. */
const SHORTEST_VALUE = 4;
/** Shorter runs of base64 letters say too little. */
const SHORTEST_BASE64 = 6;

const NONE = 0;

/** Every form of every value: as it is, hex, and base64 at each alignment (plain and url letters are the same form). */
export function formsOf(values: readonly Secret[]): readonly Form[] {
  const forms = new Map<string, Form>();
  const add = (key: string, form: Form): void => {
    if (!forms.has(key)) forms.set(key, form);
  };
  for (const secret of values) {
    const value = secret.reveal();
    for (const text of new Set([value, value.trim()])) {
      const bytes = Buffer.from(text, 'utf8');
      if (bytes.length < SHORTEST_VALUE) continue;
      add(`raw ${text}`, plain(bytes));
      add(`hex ${text}`, hex(bytes));
      for (const letters of base64Cores(bytes)) {
        if (letters.length >= SHORTEST_BASE64) add(`base64 ${letters}`, base64(letters));
      }
    }
  }
  return [...forms.values()];
}

function plain(bytes: Buffer): Form {
  // A form encodes a blank as `+`.
  return {
    letters: Uint8Array.from(bytes),
    others: bytes.map((byte) => (byte === 0x20 ? 0x2b : NONE)),
  };
}

function hex(bytes: Buffer): Form {
  const text = bytes.toString('hex');
  return { letters: Buffer.from(text), others: Buffer.from(text.toUpperCase()) };
}

function base64(letters: string): Form {
  return {
    letters: Buffer.from(letters),
    others: Buffer.from(letters.replaceAll('+', '-').replaceAll('/', '_')),
  };
}

/** The letters that depend on the value alone, whatever stands before and after it. */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const start = offset === 0 ? 0 : offset + 1;
    const end = (offset + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    return text.slice(start, end);
  });
}
