import { BadMessage } from './bad-message.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const DELETE = 127;

/** What is read of a head or of trailers, at most. */
export interface HeadLimits {
  readonly headBytes: number;
  readonly fields: number;
}

export const HEAD_LIMITS: HeadLimits = { headBytes: 65_536, fields: 200 };

/**
 * Finds the end of a head in bytes that come in any portions, in one pass, and refuses on the way what may stand
 * in no head: a CR without LF, an LF without CR, NUL and every other control character but the tab.
 */
export class HeadScanner {
  readonly #limit: number;
  /** what came before the portion that is looked at; concatenated, and made flat once, by the engine */
  #kept = '';
  #afterCr = false;
  /** characters of the current line */
  #column = 0;
  #text: string | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** whether part of a head has come */
  get hasBegun(): boolean {
    return this.#kept !== '';
  }

  /** The whole head without the empty line, each line with its CRLF; only after `scan` said that it is there. */
  takeText(): string {
    const text = this.#text ?? '';
    this.#text = undefined;
    return text;
  }

  /** Gives where the head ends in `chunk` (after the empty line), or -1 when all of `chunk` belongs to it. */
  scan(chunk: Buffer, from: number): number {
    const room = from + this.#limit - this.#kept.length;
    const end = chunk.length;
    let afterCr = this.#afterCr;
    let column = this.#column;
    for (let at = from; at < end; at++) {
      const byte = chunk[at] ?? 0;
      if (byte >= 32 && byte !== DELETE) {
        if (afterCr) throw new BadMessage('bare-cr');
        column++;
      } else if (byte === LF) {
        // SECURITY: whoever takes a bare LF for a line's end sees other fields than we do.
        if (!afterCr) throw new BadMessage('bare-lf');
        afterCr = false;
        if (column === 0) return this.#finish(chunk, from, at + 1, room);
        column = 0;
      } else if (byte === CR) {
        if (afterCr) throw new BadMessage('bare-cr');
        afterCr = true;
      } else if (byte === TAB) {
        if (afterCr) throw new BadMessage('bare-cr');
        column++;
      } else {
        throw new BadMessage(byte === 0 ? 'nul-byte' : 'control-byte');
      }
    }
    if (end > room) throw new BadMessage('head-too-large');
    this.#afterCr = afterCr;
    this.#column = column;
    this.#kept += chunk.toString('latin1', from, end);
    return -1;
  }

  #finish(chunk: Buffer, from: number, end: number, room: number): number {
    if (end > room) throw new BadMessage('head-too-large');
    const text = this.#kept + chunk.toString('latin1', from, end);
    this.#text = text.slice(0, -2);
    this.#kept = '';
    this.#afterCr = false;
    this.#column = 0;
    return end;
  }
}
