/** One packet of git's wire protocol, versions 0 to 2. */
export type Packet =
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'flush' }
  /** between the parts of a request or an answer of version 2 */
  | { readonly kind: 'delimiter' }
  /** after an answer of version 2 that has no other end */
  | { readonly kind: 'response-end' };

/** Longest that git sends, its four digits included. */
export const LONGEST_PACKET = 65_520;

const SPECIAL = ['flush', 'delimiter', 'response-end'] as const;

/**
 * Takes packets from a stream, one by one, and holds at most one of them: memory does not grow with what comes.
 *
 * What follows the last packet that a caller wants (a pack) is not packets; it stops asking then, and `rest` gives back what
 * was pushed and not read.
 */
export class PacketReader {
  #held: Uint8Array = EMPTY;
  #at = 0;
  #problem: string | undefined;
  readonly #longest: number;

  /** `longest`: a pipe of our own may allow less than git does */
  constructor(longest = LONGEST_PACKET) {
    this.#longest = longest;
  }

  /** Why nothing more can be read: not the wire protocol. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Bytes that were pushed and belong to no packet that was read. */
  get pending(): number {
    return this.#held.length - this.#at;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.pending === 0) this.#held = chunk;
    else {
      const joined = new Uint8Array(this.pending + chunk.length);
      joined.set(this.#held.subarray(this.#at));
      joined.set(chunk, this.pending);
      this.#held = joined;
    }
    this.#at = 0;
  }

  /** The next packet; undefined: more is needed, or there is a problem. Its bytes are good until the next `push`. */
  next(): Packet | undefined {
    if (this.#problem !== undefined || this.pending < 4) return undefined;
    const length = lengthAt(this.#held, this.#at);
    if (length === undefined || length === 3) {
      this.#problem = 'not a packet of git: its length is no number';
      return undefined;
    }
    if (length < 4) {
      this.#at += 4;
      const kind = SPECIAL[length] ?? 'flush';
      return { kind };
    }
    if (length > this.#longest) {
      this.#problem = `a packet of ${length} bytes is longer than git sends`;
      return undefined;
    }
    if (this.pending < length) return undefined;
    const bytes = this.#held.subarray(this.#at + 4, this.#at + length);
    this.#at += length;
    return { kind: 'data', bytes };
  }

  /** What was pushed and not read; nothing is left behind. */
  rest(): Uint8Array {
    const left = this.#held.subarray(this.#at);
    this.#held = EMPTY;
    this.#at = 0;
    return left;
  }
}

const EMPTY = new Uint8Array();

/** Four hexadecimal digits; undefined for anything else, also a sign or a blank, which number parsers take. */
function lengthAt(bytes: Uint8Array, at: number): number | undefined {
  let value = 0;
  for (let index = at; index < at + 4; index += 1) {
    const byte = bytes[index] ?? 0;
    const digit =
      byte >= 0x30 && byte <= 0x39
        ? byte - 0x30
        : byte >= 0x61 && byte <= 0x66
          ? byte - 0x57
          : byte >= 0x41 && byte <= 0x46
            ? byte - 0x37
            : -1;
    if (digit === -1) return undefined;
    value = value * 16 + digit;
  }
  return value;
}
