import type { Secret } from '../../shared/secret.ts';
import { type Form, formsOf } from './forms.ts';
import { escapedByte, LONGEST_LETTER, NO, PARTIAL, spells } from './spelling.ts';

const STAR = 0x2a;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const MASK = 4095;

/** Letters that differ only in case or in the base64 alphabet fall together: that finds more, never less. */
const FOLD = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x41 && byte <= 0x5a) return byte | 0x20;
  if (byte === 0x2d) return 0x2b;
  return byte === 0x5f ? 0x2f : byte;
});

/**
 * What must not come back of one loan, ready to be looked for.
 *
 * A hit is overwritten with as many stars as it is long: no length, offset or frame around it changes.
 */
export class ScrubPlan {
  readonly #forms: readonly Form[];
  /** how many of the first letters of every form the skip table knows */
  readonly #window: number;
  readonly #shift: Uint8Array;
  /** whether any form has this byte as a letter */
  readonly #alphabet = new Uint8Array(256);
  /** the forms whose first letter is this byte */
  readonly #starting: (Form[] | undefined)[] = new Array<Form[] | undefined>(256).fill(undefined);
  /** whether a spelling may begin with this byte */
  readonly #first = new Uint8Array(256);
  /** longest spelling of any form, in bytes */
  readonly #longest: number;

  constructor(values: readonly Secret[]) {
    this.#forms = formsOf(values);
    const lengths = this.#forms.map(({ letters }) => letters.length);
    this.#longest = Math.max(0, ...lengths) * LONGEST_LETTER;
    this.#window = Math.max(2, Math.min(16, ...lengths));
    this.#shift = new Uint8Array(MASK + 1).fill(this.#window - 1);
    this.#first[PERCENT] = 1;
    this.#first[BACKSLASH] = 1;
    for (const form of this.#forms) {
      const { letters, others } = form;
      for (const letter of [...letters, ...others]) this.#alphabet[letter] = 1;
      for (const first of new Set([letters[0] ?? 0, others[0] || (letters[0] ?? 0)])) {
        this.#first[first] = 1;
        this.#starting[first] = [...(this.#starting[first] ?? []), form];
      }
      for (let end = 1; end < this.#window; end += 1) {
        for (const first of [letters[end - 1], others[end - 1]]) {
          for (const second of [letters[end], others[end]]) {
            const block = hashOf(first ?? 0, second ?? 0);
            this.#shift[block] = Math.min(this.#shift[block] ?? 0, this.#window - 1 - end);
          }
        }
      }
    }
  }

  get isEmpty(): boolean {
    return this.#forms.length === 0;
  }

  /** Overwrites every hit in place. Returns how many there were. */
  overwrite(bytes: Uint8Array): number {
    if (this.isEmpty) return 0;
    return this.#hasEscapes(bytes) ? this.#overwriteSpelled(bytes) : this.#overwritePlain(bytes);
  }

  /** Where the last bytes begin that may be the beginning of a hit; the length when there are none. */
  openEnd(bytes: Uint8Array): number {
    if (this.isEmpty) return bytes.length;
    for (let at = Math.max(0, bytes.length - this.#longest + 1); at < bytes.length; at += 1) {
      if (this.#first[bytes[at] ?? 0] === 1 && this.#mayBegin(bytes, at)) return at;
    }
    return bytes.length;
  }

  #mayBegin(bytes: Uint8Array, at: number): boolean {
    const byte = bytes[at] ?? 0;
    if (isPartial(this.#starting[byte], bytes, at)) return true;
    if (byte !== PERCENT && byte !== BACKSLASH) return false;
    const meant = escapedByte(bytes, at);
    // An escape that is not all there may stand for any letter.
    return isPartial(meant === PARTIAL ? this.#forms : this.#starting[meant], bytes, at);
  }

  /** A short text (a header) without hits. The same text when there are none. */
  text(text: string): string {
    const bytes = Buffer.from(text, 'latin1');
    return this.overwrite(bytes) === 0 ? text : bytes.toString('latin1');
  }

  /** Whether a short text may hold a hit; false is certain. */
  mayHold(text: string): boolean {
    if (this.isEmpty) return false;
    if (text.includes('%') || text.includes('\\')) return true;
    const shifts = this.#shift;
    for (let end = this.#window - 1; end < text.length; ) {
      const shift = shifts[hashOf(text.charCodeAt(end - 1) & 255, text.charCodeAt(end) & 255)] ?? 0;
      if (shift === 0) return true;
      end += shift;
    }
    return false;
  }

  /** Without escapes a skip table passes most bytes without a look. */
  #overwritePlain(bytes: Uint8Array): number {
    const window = this.#window;
    const shifts = this.#shift;
    let hits = 0;
    for (let end = window - 1; end < bytes.length; ) {
      const shift = shifts[hashOf(bytes[end - 1] ?? 0, bytes[end] ?? 0)] ?? 0;
      if (shift > 0) {
        end += shift;
        continue;
      }
      const start = end - window + 1;
      const stop = this.#hitAt(bytes, start);
      if (stop > 0) {
        bytes.fill(STAR, start, stop);
        hits += 1;
        end = stop + window - 1;
      } else end += 1;
    }
    return hits;
  }

  #overwriteSpelled(bytes: Uint8Array): number {
    let hits = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#first[bytes[at] ?? 0] === 0) continue;
      const stop = this.#hitAt(bytes, at);
      if (stop > 0) {
        bytes.fill(STAR, at, stop);
        hits += 1;
        at = stop - 1;
      }
    }
    return hits;
  }

  /** Whether an escape stands for a letter of a form: without one, every hit is plain. The search is native. */
  #hasEscapes(bytes: Uint8Array): boolean {
    return this.#hasEscape(bytes, PERCENT) || this.#hasEscape(bytes, BACKSLASH);
  }

  #hasEscape(bytes: Uint8Array, sign: number): boolean {
    for (let at = bytes.indexOf(sign); at !== -1; at = bytes.indexOf(sign, at + 1)) {
      const meant = escapedByte(bytes, at);
      if (meant >= 0 && this.#alphabet[meant] === 1) return true;
    }
    return false;
  }

  /** Where the longest hit that begins here ends; `NO` when there is none. */
  #hitAt(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] ?? 0;
    let stop = NO;
    for (const form of this.#starting[byte] ?? NONE) stop = Math.max(stop, spells(form, bytes, at));
    if (byte !== PERCENT && byte !== BACKSLASH) return stop;
    const meant = escapedByte(bytes, at);
    if (meant === byte || meant < 0) return stop;
    for (const form of this.#starting[meant] ?? NONE) stop = Math.max(stop, spells(form, bytes, at));
    return stop;
  }
}

const NONE: readonly Form[] = [];

/** Whether one of the forms may begin here and go on beyond the end. */
function isPartial(forms: readonly Form[] | undefined, bytes: Uint8Array, at: number): boolean {
  for (const form of forms ?? NONE) if (spells(form, bytes, at) === PARTIAL) return true;
  return false;
}

function hashOf(first: number, second: number): number {
  return (((FOLD[first] ?? 0) << 5) ^ (FOLD[second] ?? 0)) & MASK;
}
