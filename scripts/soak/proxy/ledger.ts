/** What is known of each request by its number, in a byte each: millions of them fit. */
export class Ledger {
  #bytes = new Uint8Array(1 << 16);
  #count = 0;

  /** numbers that were given out */
  get count(): number {
    return this.#count;
  }

  /** The next number. */
  open(): number {
    const number = this.#count;
    this.#count += 1;
    if (this.#count > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return number;
  }

  at(number: number): number {
    return this.#bytes[number] ?? 0;
  }

  /** Whole numbers up to 255; more is as wrong as 255. */
  add(number: number): void {
    while (this.#count <= number) this.open();
    if (this.at(number) < 255) this.#bytes[number] = this.at(number) + 1;
  }
}
