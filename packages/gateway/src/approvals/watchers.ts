import type { Approval } from './approval/approval.ts';

type Listener = (approval: Approval) => void;

/** Those who look at an approval: long polls and streams. */
export class Watchers {
  // process-local: streams and long polls of this process; a decision elsewhere wakes them
  readonly #listeners = new Map<string, Set<Listener>>();

  ids(): readonly string[] {
    return [...this.#listeners.keys()];
  }

  has(id: string): boolean {
    return this.#listeners.has(id);
  }

  /** Calls `listener` on every change from now on. Returns how to stop. */
  watch(id: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(id, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  tell(approval: Approval): void {
    for (const listener of [...(this.#listeners.get(approval.id) ?? [])]) listener(approval);
  }
}
