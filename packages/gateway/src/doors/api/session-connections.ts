/**
 * What each session has open, so that ending the session ends all of it at once.
 *
 * Doors `hold` a way to cut whatever outlives the check of the token (a request under way, a stream, a
 * tunnel) and release it when that is done by itself.
 */
export class SessionConnections {
  readonly #cuts = new Map<string, Set<() => void>>();

  /** Returns the release. `cut` is called at most once and must not throw. */
  hold(session: string, cut: () => void): () => void {
    const cuts = this.#cuts.get(session) ?? new Set();
    this.#cuts.set(session, cuts);
    cuts.add(cut);
    return () => {
      cuts.delete(cut);
      if (cuts.size === 0 && this.#cuts.get(session) === cuts) this.#cuts.delete(session);
    };
  }

  /** Cuts everything that the session has open. */
  cut(session: string): void {
    const cuts = this.#cuts.get(session);
    this.#cuts.delete(session);
    for (const cut of cuts ?? []) cut();
  }
}
