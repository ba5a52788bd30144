import { notSignable } from '../../kind.ts';

/** What stands in an `aws-chunked` body, piece by piece. */
export interface ChunkVisitor {
  /** a chunk of `size` bytes begins; 0: the last one. `digits`: the size as it was written */
  onChunk(size: number, digits: string): void;
  onData(data: Uint8Array): void;
  /** all data of the chunk was told */
  onChunkEnd(): void;
}

const HEAD_LIMIT = 512;
/** Bytes that may stand after the last chunk: a few checksums and a signature. */
const TRAILER_LIMIT = 16_384;
const CR = 13;
const LF = 10;

/**
 * Reads the signed form of `aws-chunked`, bytes in any pieces: `SIZE;chunk-signature=SIGNATURE`, data, and so on.
 *
 * Signatures are of the agent's own, worthless keys: their form is checked, not their value. Throws
 * `RequestNotSignable` for whatever is not exactly this form: what is read in two ways is not sent.
 */
export class ChunkReader {
  readonly #visitor: ChunkVisitor;
  readonly #head: RegExp;
  readonly #largest: number;
  readonly #held: number[] = [];
  readonly #rest: Uint8Array[] = [];
  #restBytes = 0;
  #left = 0;
  #state: 'head' | 'data' | 'data-end' | 'rest' = 'head';

  constructor(options: { visitor: ChunkVisitor; signatureLength: number; largestChunk: number }) {
    this.#visitor = options.visitor;
    this.#largest = options.largestChunk;
    this.#head = new RegExp(`^([0-9a-fA-F]{1,8});chunk-signature=([0-9a-f*]{${options.signatureLength}})$`);
  }

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#state === 'rest') at = this.#keep(bytes, at);
      else if (this.#state === 'data') at = this.#readData(bytes, at);
      else at = this.#readLine(bytes, at);
    }
  }

  /** What stood after the last chunk's head: the trailer. Throws when the body stops before. */
  end(): Buffer {
    if (this.#state !== 'rest') throw notSignable('the body in `aws-chunked` stops before its last chunk');
    return Buffer.concat(this.#rest);
  }

  #keep(bytes: Uint8Array, at: number): number {
    this.#restBytes += bytes.length - at;
    if (this.#restBytes > TRAILER_LIMIT) throw notSignable('too much follows the last chunk of the body');
    // A copy: whoever pushes may use its buffer again.
    this.#rest.push(Uint8Array.from(bytes.subarray(at)));
    return bytes.length;
  }

  #readData(bytes: Uint8Array, at: number): number {
    const piece = bytes.subarray(at, at + this.#left);
    this.#visitor.onData(piece);
    this.#left -= piece.length;
    if (this.#left === 0) {
      this.#visitor.onChunkEnd();
      this.#state = 'data-end';
    }
    return at + piece.length;
  }

  /** Takes bytes up to a CRLF; a chunk's head, or nothing after a chunk's data. */
  #readLine(bytes: Uint8Array, start: number): number {
    const limit = this.#state === 'head' ? HEAD_LIMIT : 2;
    for (let at = start; at < bytes.length; at++) {
      // INVARIANT: at < bytes.length.
      const byte = bytes[at] ?? 0;
      this.#held.push(byte);
      if (byte === LF) {
        this.#endLine();
        return at + 1;
      }
      if (this.#held.length >= limit) throw malformed();
    }
    return bytes.length;
  }

  #endLine(): void {
    const line = this.#held.splice(0);
    if (line.at(-2) !== CR) throw malformed();
    const text = String.fromCharCode(...line.slice(0, -2));
    if (this.#state === 'data-end') {
      if (text !== '') throw malformed();
      this.#state = 'head';
      return;
    }
    const [, digits] = this.#head.exec(text) ?? [];
    if (digits === undefined) throw malformed();
    const size = Number.parseInt(digits, 16);
    if (size > this.#largest) {
      throw notSignable(
        `a chunk of ${size} bytes is larger than the ${this.#largest} that can be signed anew`,
        'send smaller chunks, or sign without `aws-chunked`',
      );
    }
    this.#visitor.onChunk(size, digits);
    this.#left = size;
    this.#state = size === 0 ? 'rest' : 'data';
    if (size === 0) this.#visitor.onChunkEnd();
  }
}

function malformed(): Error {
  return notSignable('the body is not in the form of `aws-chunked` that its head says');
}
