/** Longer than an envelope can be valid: it may come from 30 s ahead, and is taken until 30 s after. */
const GENERATION_MS = 61_000;

/**
 * Remembers nonces for at least as long as an envelope that carries one could be accepted. Bounded: when it is full,
 * nothing more is accepted until time has passed.
 */
export class ReplayGuard {
  readonly #atMost: number;
  #current = new Set<string>();
  #previous = new Set<string>();
  #since: number;

  constructor(now: number, atMost = 65_536) {
    this.#since = now;
    this.#atMost = atMost;
  }

  /** `new`: it is remembered from now on. `full`: nobody can say, so the answer must be no. */
  take(nonce: string, now: number): 'new' | 'seen' | 'full' {
    // A clock that was set back never makes it forget.
    if (now - this.#since >= GENERATION_MS) {
      const isLongAgo = now - this.#since >= 2 * GENERATION_MS;
      this.#previous = isLongAgo ? new Set() : this.#current;
      this.#current = new Set();
      this.#since = now;
    }
    if (this.#current.has(nonce) || this.#previous.has(nonce)) return 'seen';
    if (this.#current.size >= this.#atMost) return 'full';
    this.#current.add(nonce);
    return 'new';
  }
}
