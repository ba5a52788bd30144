import type { Woken } from './coordination.ts';

type Listener = (woken: Woken) => void;

/** Those of this process who wait, by topic. */
export class WakeListeners {
  readonly #topics = new Map<string, Set<Listener>>();
  readonly #onProblem: (error: unknown) => void;

  constructor(onProblem: (error: unknown) => void) {
    this.#onProblem = onProblem;
  }

  add(topic: string, listener: Listener): () => void {
    const listeners = this.#topics.get(topic) ?? new Set();
    listeners.add(listener);
    this.#topics.set(topic, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#topics.get(topic) === listeners) this.#topics.delete(topic);
    };
  }

  tell(topic: string, woken: Woken): void {
    for (const listener of [...(this.#topics.get(topic) ?? [])]) {
      try {
        listener(woken);
      } catch (error) {
        // Whoever decided something is not to suffer for whoever waits.
        this.#onProblem(error);
      }
    }
  }

  tellAll(): void {
    for (const topic of [...this.#topics.keys()]) this.tell(topic, 'all');
  }
}
