/** Counts within windows of a fixed length. */
export class FloodGuard {
  readonly #most: number;
  readonly #windowMs: number;
  #since = performance.now();
  #count = 0;

  constructor(most: number, windowMs: number) {
    this.#most = most;
    this.#windowMs = windowMs;
  }

  /** False when it is too much for this window. */
  take(amount: number): boolean {
    this.#count += amount;
    if (this.#count <= this.#most) return true;
    const now = performance.now();
    if (now - this.#since < this.#windowMs) return false;
    this.#since = now;
    this.#count = amount;
    return amount <= this.#most;
  }
}
