const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cuts a stream of bytes into lines and holds no more than one unfinished line of bounded length. */
export class LineSplitter {
  readonly #most: number;
  #chunks: Uint8Array[] = [];
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The lines that this chunk completes, without their ends; undefined when a line is longer than allowed. */
  push(chunk: Uint8Array): readonly string[] | undefined {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      const piece = chunk.subarray(from, end);
      if (this.#held + piece.length > this.#most) return undefined;
      lines.push(this.#complete(piece));
      from = end + 1;
    }
    if (from < chunk.length) {
      this.#held += chunk.length - from;
      if (this.#held > this.#most) return undefined;
      this.#chunks.push(chunk.subarray(from));
    }
    return lines;
  }

  #complete(last: Uint8Array): string {
    if (this.#held === 0) return text(last);
    const line = Buffer.concat([...this.#chunks, last]);
    this.#chunks = [];
    this.#held = 0;
    return text(line);
  }
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Counts bytes: of a whole answer, or of each event of a stream, which ends with an empty line. */
export class EventMeter {
  readonly #most: number;
  readonly #isStream: boolean;
  #count = 0;
  #lineIsEmpty = true;

  constructor(most: number, isStream: boolean) {
    this.#most = most;
    this.#isStream = isStream;
  }

  /** False when it is too much. */
  take(chunk: Uint8Array): boolean {
    if (!this.#isStream) {
      this.#count += chunk.length;
      return this.#count <= this.#most;
    }
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      this.#countLine(chunk, from, end);
      if (this.#count > this.#most) return false;
      if (this.#lineIsEmpty) this.#count = 0;
      this.#lineIsEmpty = true;
      from = end + 1;
    }
    this.#countLine(chunk, from, chunk.length);
    return this.#count <= this.#most;
  }

  #countLine(chunk: Uint8Array, from: number, to: number): void {
    this.#count += to - from;
    if (to - from > 1 || (to - from === 1 && chunk[from] !== CARRIAGE_RETURN)) this.#lineIsEmpty = false;
  }
}
