/** Runs at most `width` jobs at once, in the order in which they came. */
export class JobQueue {
  readonly #width: number;
  readonly #queue: (() => Promise<void>)[] = [];
  #running = 0;
  #idle: (() => void)[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  /** Jobs never reject: what goes wrong in one is its own business. */
  push(job: () => Promise<void>): void {
    this.#queue.push(job);
    this.#next();
  }

  /** As `push`, for a job whose result counts. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.push(() => job().then(resolve, reject));
    return promise;
  }

  /** Drops what has not begun. */
  clear(): void {
    this.#queue.length = 0;
  }

  /** Resolves when nothing runs and nothing waits. */
  async drained(): Promise<void> {
    if (this.#running === 0 && this.#queue.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    while (this.#running < this.#width) {
      const job = this.#queue.shift();
      if (job === undefined) break;
      this.#running += 1;
      void job().finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
    if (this.#running === 0 && this.#queue.length === 0) for (const wake of this.#idle.splice(0)) wake();
  }
}
