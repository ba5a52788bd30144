/** A set that forgets the oldest entry when it is full. */
export class BoundedSet {
  readonly #limit: number;
  // process-local: of one inbox connection; what decides is the compare-and-set of the approval
  readonly #values = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(value: string): boolean {
    return this.#values.has(value);
  }

  /** False when it was there already. */
  add(value: string): boolean {
    if (this.#values.has(value)) return false;
    this.#values.add(value);
    const oldest = this.#values.values().next();
    if (this.#values.size > this.#limit && !oldest.done) this.#values.delete(oldest.value);
    return true;
  }
}
