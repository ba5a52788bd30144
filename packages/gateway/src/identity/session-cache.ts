import type { SessionFacts } from './session-facts.ts';

export interface CachedSession {
  readonly facts: SessionFacts;
  /** when the row was last seen in the store, in ms since epoch */
  readonly checkedAt: number;
}

/** Live sessions by the hash of their token, the most recently used `max` of them. */
export class SessionCache {
  readonly #max: number;
  // process-local: a copy of rows of the store, looked at again within a second
  readonly #byHash = new Map<string, CachedSession>();
  // process-local: an index of the field before it
  readonly #hashOf = new Map<string, string>();

  constructor(max: number) {
    this.#max = max;
  }

  get(tokenHash: string): CachedSession | undefined {
    const entry = this.#byHash.get(tokenHash);
    if (entry === undefined) return undefined;
    // Moves it to the young end: a Map keeps the order of insertion.
    this.#byHash.delete(tokenHash);
    this.#byHash.set(tokenHash, entry);
    return entry;
  }

  set(tokenHash: string, entry: CachedSession): void {
    this.#byHash.delete(tokenHash);
    this.#byHash.set(tokenHash, entry);
    this.#hashOf.set(entry.facts.id, tokenHash);
    if (this.#byHash.size > this.#max) this.#forgetOldest();
  }

  /** Replaces facts and time of a session that is still here. */
  refresh(entry: CachedSession): void {
    const hash = this.#hashOf.get(entry.facts.id);
    if (hash !== undefined) this.#byHash.set(hash, entry);
  }

  find(id: string): CachedSession | undefined {
    const hash = this.#hashOf.get(id);
    return hash === undefined ? undefined : this.#byHash.get(hash);
  }

  delete(id: string): void {
    const hash = this.#hashOf.get(id);
    if (hash !== undefined) this.#byHash.delete(hash);
    this.#hashOf.delete(id);
  }

  all(): readonly CachedSession[] {
    return [...this.#byHash.values()];
  }

  #forgetOldest(): void {
    const oldest = this.#byHash.entries().next();
    if (oldest.done) return;
    const [hash, { facts }] = oldest.value;
    this.#byHash.delete(hash);
    this.#hashOf.delete(facts.id);
  }
}
