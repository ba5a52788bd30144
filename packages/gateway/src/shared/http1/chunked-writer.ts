import type { Header } from '../http-message.ts';
import { writeTrailers } from './write-head.ts';

/** Where bytes go: a socket, or anything that takes them like one. */
export interface ByteOutput {
  write(bytes: Uint8Array): boolean;
  write(text: string, encoding: 'latin1'): boolean;
  cork(): void;
  uncork(): void;
}

// Below this, copying is cheaper than three writes.
const COPIED_AT_MOST = 16_384;

/** Writes a body in chunks: one for each piece that it is given. An empty piece writes nothing. */
export class ChunkedWriter {
  readonly #output: ByteOutput;

  constructor(output: ByteOutput) {
    this.#output = output;
  }

  /** false: wait until the output drains */
  write(piece: Uint8Array): boolean {
    if (piece.length === 0) return true;
    const head = `${piece.length.toString(16)}\r\n`;
    if (piece.length <= COPIED_AT_MOST) {
      const whole = Buffer.allocUnsafe(head.length + piece.length + 2);
      whole.write(head, 0, 'latin1');
      whole.set(piece, head.length);
      whole.write('\r\n', head.length + piece.length, 'latin1');
      return this.#output.write(whole);
    }
    this.#output.cork();
    this.#output.write(head, 'latin1');
    this.#output.write(piece);
    const ready = this.#output.write('\r\n', 'latin1');
    this.#output.uncork();
    return ready;
  }

  end(trailers: readonly Header[] = []): void {
    this.#output.write(`0\r\n${writeTrailers(trailers)}\r\n`, 'latin1');
  }
}
