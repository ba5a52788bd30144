/** How long the same call may be asked about once more, in ms */
const KEPT_MS = 60_000;
const KEPT_AT_MOST = 1_000;

/** Calls that people allowed a moment ago, so that a client's second question about the same call is not theirs again. */
export class RecentConsents {
  readonly #clock: { now(): number };
  readonly #kept = new Map<string, number>();

  constructor(clock: { now(): number }) {
    this.#clock = clock;
  }

  keep(question: string): void {
    this.#kept.delete(question);
    this.#kept.set(question, this.#clock.now());
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > KEPT_AT_MOST && !oldest.done) this.#kept.delete(oldest.value);
  }

  /** Whether it was allowed; true once. */
  take(question: string): boolean {
    const at = this.#kept.get(question);
    this.#kept.delete(question);
    return at !== undefined && this.#clock.now() - at <= KEPT_MS;
  }
}
