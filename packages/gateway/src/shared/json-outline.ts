import { isUtf8 } from 'node:buffer';

/** What is read of a JSON text: all of its members, long strings by their beginning. */
export type Outline = string | number | boolean | null | readonly Outline[] | OutlineMembers;
export interface OutlineMembers {
  readonly [key: string]: Outline;
}

/** Nobody nests deeper who means it. */
const MAX_DEPTH = 100;
/** Values and keys together: what is kept in memory stays small, whatever the size of the text. */
const MAX_NODES = 250_000;
/** Enough of a string to know a word, or where an address leads. */
const KEPT_BYTES = 160;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads the outline of a JSON object, whatever its size: one pass over the bytes, no recursion.
 *
 * `undefined` for everything that two parsers may read differently: what is not UTF-8 or not JSON to the letter, a
 * byte-order mark, anything behind the object, a key that comes twice in one object; and for what is too deep or has too
 * many parts to be meant.
 */
export function readOutline(bytes: Uint8Array): OutlineMembers | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    return new OutlineReader(bytes).read();
  } catch (error) {
    if (error instanceof NotReadable) return undefined;
    throw error;
  }
}

class NotReadable extends Error {}

type Container =
  | { readonly kind: 'list'; readonly values: Outline[] }
  | { readonly kind: 'members'; readonly values: Record<string, Outline>; key: string };

class OutlineReader {
  readonly #bytes: Buffer;
  #at = 0;
  #nodes = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  read(): OutlineMembers {
    const stack: Container[] = [];
    this.#blanks();
    if (this.#bytes[this.#at] !== 0x7b) throw new NotReadable();
    for (;;) {
      // A value begins here.
      let value: Outline;
      const opened = this.#open();
      if (opened !== undefined) {
        stack.push(opened);
        if (stack.length > MAX_DEPTH) throw new NotReadable();
        if (!this.#isClosing(opened)) {
          if (opened.kind === 'members') opened.key = this.#key(opened.values);
          continue;
        }
        stack.pop();
        value = opened.values;
      } else value = this.#plain();
      // A value has ended: it goes into what holds it, which may end with it.
      for (;;) {
        const holder = stack.at(-1);
        if (holder === undefined) return this.#end(value);
        put(holder, value);
        if (this.#goesOn(holder)) break;
        stack.pop();
        value = holder.values;
      }
    }
  }

  #open(): Container | undefined {
    const code = this.#bytes[this.#at];
    if (code !== 0x7b && code !== 0x5b) return undefined;
    this.#at += 1;
    this.#count();
    // Without a prototype: `__proto__` is a key like any other.
    if (code === 0x7b)
      return { kind: 'members', values: Object.create(null) as Record<string, Outline>, key: '' };
    return { kind: 'list', values: [] };
  }

  #isClosing({ kind }: Container): boolean {
    this.#blanks();
    if (this.#bytes[this.#at] !== (kind === 'members' ? 0x7d : 0x5d)) return false;
    this.#at += 1;
    return true;
  }

  /** Whether another value follows; the key of it is read too. */
  #goesOn(holder: Container): boolean {
    if (this.#isClosing(holder)) return false;
    if (this.#bytes[this.#at] !== 0x2c) throw new NotReadable();
    this.#at += 1;
    this.#blanks();
    if (holder.kind === 'members') holder.key = this.#key(holder.values);
    return true;
  }

  #key(values: Readonly<Record<string, Outline>>): string {
    if (this.#bytes[this.#at] !== QUOTE) throw new NotReadable();
    this.#count();
    const start = this.#at + 1;
    const { end, kept } = this.#string();
    // A key that is cut could be any: none that means something is so long.
    const key = kept < end ? `${this.#text(start, kept)}…${start}` : this.#text(start, end);
    if (key in values) throw new NotReadable();
    this.#blanks();
    if (this.#bytes[this.#at] !== 0x3a) throw new NotReadable();
    this.#at += 1;
    this.#blanks();
    return key;
  }

  #plain(): Outline {
    this.#count();
    if (this.#bytes[this.#at] === QUOTE) {
      const start = this.#at + 1;
      const { end, kept } = this.#string();
      return kept < end ? `${this.#text(start, kept)}…` : this.#text(start, end);
    }
    const start = this.#at;
    while (isWord(this.#bytes[this.#at])) this.#at += 1;
    const word = this.#bytes.toString('latin1', start, this.#at);
    const known = WORDS.get(word);
    if (known !== undefined) return known;
    if (word.length > 1_000 || !NUMBER.test(word)) throw new NotReadable();
    return Number(word);
  }

  /** Goes behind a string. `kept`: where what is kept of it ends, never inside an escape or a character. */
  #string(): { readonly end: number; readonly kept: number } {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    let at = start;
    let kept = start;
    for (;;) {
      const code = bytes[at];
      if (code === undefined || code < 0x20) throw new NotReadable();
      if (at - start <= KEPT_BYTES && (code & 0xc0) !== 0x80) kept = at;
      if (code === QUOTE) break;
      at += code === BACKSLASH ? escapeLength(bytes, at) : 1;
    }
    this.#at = at + 1;
    return { end: at, kept: at - start <= KEPT_BYTES ? at : kept };
  }

  #text(start: number, end: number): string {
    const text = this.#bytes.toString('utf8', start, end);
    if (!text.includes('\\')) return text;
    // Every escape in it is whole and known, and no quote stands alone.
    return JSON.parse(`"${text}"`) as string;
  }

  #blanks(): void {
    for (;;) {
      const code = this.#bytes[this.#at];
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) throw new NotReadable();
  }

  #end(value: Outline): OutlineMembers {
    this.#blanks();
    if (this.#at !== this.#bytes.length || !isOutlineMembers(value)) throw new NotReadable();
    return value;
  }
}

function put(holder: Container, value: Outline): void {
  if (holder.kind === 'list') holder.values.push(value);
  else holder.values[holder.key] = value;
}

/** Bytes of the escape that begins here. */
function escapeLength(bytes: Uint8Array, at: number): number {
  const code = bytes[at + 1] ?? 0;
  if (code !== 0x75) {
    if (!'"\\/bfnrt'.includes(String.fromCharCode(code))) throw new NotReadable();
    return 2;
  }
  for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHex(bytes[digit])) throw new NotReadable();
  return 6;
}

function isHex(code: number | undefined): boolean {
  if (code === undefined) return false;
  const lower = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}

/** Letters, digits and signs of numbers and of the three words. */
function isWord(code: number | undefined): boolean {
  if (code === undefined) return false;
  const lower = code | 0x20;
  return (code >= 0x2b && code <= 0x39 && code !== 0x2c && code !== 0x2f) || (lower >= 0x61 && lower <= 0x7a);
}

export function isOutlineMembers(value: Outline | undefined): value is OutlineMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
