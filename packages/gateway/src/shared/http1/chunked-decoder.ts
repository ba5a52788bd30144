import type { Header } from '../http-message.ts';
import { BadMessage } from './bad-message.ts';
import { isTokenByte } from './field-names.ts';
import { HeadScanner } from './head-scanner.ts';
import { readFields } from './read-fields.ts';
import { refuseForbiddenTrailer } from './trailers.ts';

const LF = 10;
const CR = 13;
const SEMICOLON = 59;
const EQUALS = 61;

// 12 hex digits: 2^48 bytes in one chunk, far below what a number holds exactly.
const MOST_DIGITS = 12;
const EXTENSION_BYTES = 256;
/** of all chunks of one body together */
const EXTENSIONS_BYTES = 4_096;
const TRAILER_BYTES = 16_384;
const TRAILERS = 64;

const HEX = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit;
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

type State = 'size' | 'extension' | 'size-lf' | 'data' | 'data-cr' | 'data-lf' | 'trailers' | 'done';

/** Reads one chunked body in any portions. Extensions are read over and not passed on. */
export class ChunkedDecoder {
  #state: State = 'size';
  #size = 0;
  #digits = 0;
  #extension = 0;
  #extensions = 0;
  #wantsToken = false;
  #hasValue = false;
  #trailers: HeadScanner | undefined;
  /** what came after the last chunk, once `isDone` */
  trailers: readonly Header[] = [];

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** Reads on from `from`; gives how far it got: the end of `chunk`, or of the body. */
  push(chunk: Buffer, from: number, onData: (data: Buffer) => void): number {
    let at = from;
    while (at < chunk.length) {
      if (this.#state === 'data') {
        const end = Math.min(chunk.length, at + this.#size);
        this.#size -= end - at;
        if (this.#size === 0) this.#state = 'data-cr';
        onData(chunk.subarray(at, end));
        at = end;
      } else if (this.#state === 'trailers') {
        at = this.#readTrailers(chunk, at);
      } else if (this.#state === 'done') {
        return at;
      } else {
        this.#step(chunk[at] ?? 0);
        at++;
      }
    }
    return at;
  }

  #step(byte: number): void {
    switch (this.#state) {
      case 'size':
        this.#readSize(byte);
        return;
      case 'extension':
        this.#readExtension(byte);
        return;
      case 'size-lf':
        if (byte !== LF) throw new BadMessage('bare-cr');
        this.#state = this.#size === 0 ? 'trailers' : 'data';
        return;
      case 'data-cr':
        // SECURITY: a chunk that is longer or shorter than it said: whoever trusts the other border sees other bytes.
        if (byte !== CR) throw new BadMessage('malformed-chunk-end');
        this.#state = 'data-lf';
        return;
      case 'data-lf':
        if (byte !== LF) throw new BadMessage('malformed-chunk-end');
        this.#digits = 0;
        this.#size = 0;
        this.#state = 'size';
        return;
    }
  }

  #readSize(byte: number): void {
    const digit = HEX[byte] ?? -1;
    if (digit !== -1) {
      if (this.#digits === MOST_DIGITS) throw new BadMessage('chunk-size-too-large');
      this.#digits++;
      this.#size = this.#size * 16 + digit;
      return;
    }
    // `0x5`, `+5`, `-5`, `5 ` and an empty size all end here.
    if (this.#digits === 0) throw new BadMessage('malformed-chunk-size');
    if (byte === CR) this.#state = 'size-lf';
    else if (byte === SEMICOLON) {
      this.#extension = 0;
      this.#beginExtension();
    } else throw new BadMessage(byte === LF ? 'bare-lf' : 'malformed-chunk-size');
  }

  /** `;name` or `;name=token`; no quoted text: in it, a reader may look for the end elsewhere. */
  #readExtension(byte: number): void {
    // SECURITY: readers that end an extension at a bare LF see a chunk where we see none.
    if (byte === LF) throw new BadMessage('bare-lf');
    if (isTokenByte(byte)) this.#wantsToken = false;
    else if (this.#wantsToken) throw new BadMessage('malformed-chunk-extension');
    else if (byte === CR) {
      this.#state = 'size-lf';
      return;
    } else if (byte === SEMICOLON) this.#beginExtension();
    else if (byte === EQUALS && !this.#hasValue) {
      this.#hasValue = true;
      this.#wantsToken = true;
    } else throw new BadMessage('malformed-chunk-extension');
    this.#extension++;
    this.#extensions++;
    if (this.#extension > EXTENSION_BYTES || this.#extensions > EXTENSIONS_BYTES)
      throw new BadMessage('chunk-extension-too-long');
  }

  #beginExtension(): void {
    this.#wantsToken = true;
    this.#hasValue = false;
    this.#state = 'extension';
  }

  #readTrailers(chunk: Buffer, at: number): number {
    this.#trailers ??= new HeadScanner(TRAILER_BYTES);
    const end = this.#trailers.scan(chunk, at);
    if (end === -1) return chunk.length;
    const text = this.#trailers.takeText();
    if (text !== '') this.trailers = readFields(text, 0, TRAILERS, refuseForbiddenTrailer);
    this.#state = 'done';
    return end;
  }
}
