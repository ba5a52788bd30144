/** Runs one piece of work at a time. Whoever asks while it runs gets a round that begins after this one. */
export class Rounds {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Resolves after a round that began after this call. Rejects as that one does. */
  run(): Promise<void> {
    if (this.#running === undefined) return this.#begin();
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const running = this.#work().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}

/** Opens something with the first call, and once; at once when it is open. What failed is tried again with the next call. */
export function lazily<T>(open: () => Promise<T>): () => T | Promise<T> {
  let opened: { readonly value: T } | undefined;
  let opening: Promise<T> | undefined;
  const load = async (): Promise<T> => {
    try {
      const value = await open();
      opened = { value };
      return value;
    } finally {
      opening = undefined;
    }
  };
  return () => {
    if (opened !== undefined) return opened.value;
    opening ??= load();
    return opening;
  };
}
