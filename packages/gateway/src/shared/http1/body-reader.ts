import type { Header } from '../http-message.ts';
import { BadMessage } from './bad-message.ts';
import { ChunkedDecoder } from './chunked-decoder.ts';
import type { BodyFraming } from './framing.ts';

/** Reads one body in any portions. */
export class BodyReader {
  readonly #onData: (chunk: Buffer) => void;
  readonly #decoder: ChunkedDecoder | undefined;
  readonly #untilClose: boolean;
  #left: number;

  constructor(framing: BodyFraming, onData: (chunk: Buffer) => void) {
    this.#onData = onData;
    this.#decoder = framing.kind === 'chunked' ? new ChunkedDecoder() : undefined;
    this.#untilClose = framing.kind === 'close';
    this.#left = framing.kind === 'length' ? framing.bytes : 0;
  }

  get isDone(): boolean {
    return this.#decoder?.isDone ?? (!this.#untilClose && this.#left === 0);
  }

  get trailers(): readonly Header[] {
    return this.#decoder?.trailers ?? [];
  }

  /** Gives how far it got in `chunk`: its end, or the end of the body. */
  push(chunk: Buffer, from: number): number {
    if (this.#decoder !== undefined) return this.#decoder.push(chunk, from, this.#onData);
    const end = this.#untilClose ? chunk.length : Math.min(chunk.length, from + this.#left);
    if (!this.#untilClose) this.#left -= end - from;
    if (end > from) this.#onData(from === 0 && end === chunk.length ? chunk : chunk.subarray(from, end));
    return end;
  }

  /** The connection ended. SECURITY: a body that is shorter than it said is never passed for a whole one. */
  finish(): void {
    if (!this.#untilClose && !this.isDone) throw new BadMessage('truncated');
  }
}
