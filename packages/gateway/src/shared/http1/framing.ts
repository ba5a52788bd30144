import { BadMessage } from './bad-message.ts';
import { FIELD, type FieldName } from './field-names.ts';

/** How long a body is. `close`: until the connection ends, responses only. */
export type BodyFraming =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' };

export const NO_BODY: BodyFraming = { kind: 'none' };
export const CHUNKED: BodyFraming = { kind: 'chunked' };
export const UNTIL_CLOSE: BodyFraming = { kind: 'close' };

// 15 digits: below 2^53, and more than any disk holds.
const LENGTH = /^(?:0|[1-9][0-9]{0,14})$/;

/** What the fields of one head say about its body and its connection. */
export class FramingFields {
  length: number | undefined;
  isChunked = false;
  /** tokens of `Connection`, lower case */
  #connection: string | undefined;
  readonly #anyCase: boolean;

  /** `anyCase`: towards upstream servers, of which some write `Chunked` */
  constructor(anyCase: boolean) {
    this.#anyCase = anyCase;
  }

  visit({ field }: FieldName, value: string): void {
    if (field === FIELD.contentLength) {
      // SECURITY: two readers may take different ones of two lengths, also of two equal ones in one field.
      if (this.length !== undefined) throw new BadMessage('second-length');
      if (!LENGTH.test(value)) throw new BadMessage('malformed-length');
      this.length = Number(value);
    } else if (field === FIELD.transferEncoding) {
      if (this.isChunked) throw new BadMessage('second-encoding');
      // SECURITY: `gzip, chunked`, `xchunked`, `chunked;a`: each has a reader that sees no chunks in it.
      if ((this.#anyCase ? value.toLowerCase() : value) !== 'chunked')
        throw new BadMessage('unsupported-encoding');
      this.isChunked = true;
    } else if (field === FIELD.connection) {
      const tokens = value.toLowerCase();
      this.#connection = this.#connection === undefined ? tokens : `${this.#connection},${tokens}`;
    }
  }

  /** SECURITY: a length beside an encoding is the classic way to hide a second message. */
  check(version: 10 | 11): void {
    if (!this.isChunked) return;
    if (this.length !== undefined) throw new BadMessage('length-and-encoding');
    if (version === 10) throw new BadMessage('encoding-on-1.0');
  }

  /** Whether `Connection` has this token. */
  connectionHas(token: string): boolean {
    const text = this.#connection;
    if (text === undefined) return false;
    if (text === token) return true;
    return text.includes(token) && text.split(',').some((part) => part.trim() === token);
  }

  keepsAlive(version: 10 | 11): boolean {
    if (this.connectionHas('close')) return false;
    return version === 11 || this.connectionHas('keep-alive');
  }
}
