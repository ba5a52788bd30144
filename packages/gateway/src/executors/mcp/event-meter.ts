const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;

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
