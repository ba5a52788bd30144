import { createHash } from 'node:crypto';
import type { EventBody } from '@sallyport/protocol';

/** Characters of a body, or of a request, that an event keeps; what is longer is cut, and says so. */
export const KEPT_CHARS = 65_536;

/** More than that is read, in bytes: a secret that stands across the cut is then taken out whole, not left half. */
export const READ_BYTES = KEPT_CHARS + 8_192;

/**
 * Looks on while a body passes by: keeps a copy of its beginning, and counts and hashes the rest. It holds nothing up,
 * and what it keeps is bounded, however long the body is.
 */
export class BodyTee {
  readonly #hash = createHash('sha256');
  readonly #start: Buffer[] = [];
  #kept = 0;
  #bytes = 0;
  #type: string | undefined;
  #encoding: string | undefined;

  /** What its headers say about it. */
  describe(headers: readonly (readonly [name: string, value: string])[]): void {
    for (const [name, value] of headers) {
      const lower = name.toLowerCase();
      if (lower === 'content-type') this.#type = value;
      else if (lower === 'content-encoding') this.#encoding = value;
    }
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    const room = READ_BYTES - this.#kept;
    if (room <= 0) return;
    // A copy: the bytes belong to a connection, which reads the next ones into the same place.
    const piece = Buffer.from(chunk.subarray(0, room));
    this.#start.push(piece);
    this.#kept += piece.length;
  }

  /** What has passed by until now; undefined when nothing has. */
  body(): EventBody | undefined {
    if (this.#bytes === 0) return undefined;
    return {
      start: Buffer.concat(this.#start),
      bytes: this.#bytes,
      sha256: this.#hash.copy().digest('hex'),
      ...(this.#type === undefined ? {} : { type: this.#type }),
      ...(this.#encoding === undefined ? {} : { encoding: this.#encoding }),
    };
  }
}
