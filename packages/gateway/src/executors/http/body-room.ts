/** Memory for bodies that must be read as a whole. */
export class BodyRoom {
  /** bytes that one body may have */
  readonly each: number;
  readonly #all: number;
  #taken = 0;

  constructor({ each, all }: { readonly each: number; readonly all: number }) {
    this.each = each;
    this.#all = all;
  }

  /** False when all of them together would have too much. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#all) return false;
    this.#taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}
