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
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
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
