import type { McpLimits } from './limits.ts';

/**
 * `Running`: takes calls. `Starting`, `Restarting`: not yet, soon. `Failed`: could not be started several times in a row; is
 * tried again now and then. `Quarantined`: it runs, and none of what it offers is accepted. `Stopped`: on purpose.
 */
export type ServerStatus = 'Starting' | 'Running' | 'Restarting' | 'Quarantined' | 'Stopped' | 'Failed';

export interface SupervisorParts<T> {
  readonly limits: McpLimits;
  /** Opens it; `onClosed` is told when it ends by itself afterwards. */
  readonly open: (onClosed: (reason: string) => void, signal: AbortSignal) => Promise<T>;
  readonly close: (running: T, reason: string) => Promise<void>;
  /** Rejects when it is not well: then it is closed and opened anew. */
  readonly check: (running: T) => Promise<void>;
  readonly checkEveryMs: number;
  readonly onStarted: () => void;
  readonly onFailed: (reason: string, pauseMs: number) => void;
}

/** Keeps one thing open: looks after it, and opens it anew with growing pauses when it ends. */
export class Supervisor<T> {
  readonly #parts: SupervisorParts<T>;
  #status: Exclude<ServerStatus, 'Quarantined'> = 'Stopped';
  #current: T | undefined;
  #stopping: AbortController | undefined;
  #loop: Promise<void> = Promise.resolve();
  #failures = 0;
  #restarts = 0;
  #lastError: string | undefined;
  #wake: () => void = () => undefined;

  constructor(parts: SupervisorParts<T>) {
    this.#parts = parts;
  }

  get status(): Exclude<ServerStatus, 'Quarantined'> {
    return this.#status;
  }

  /** open, and well as far as is known */
  get current(): T | undefined {
    return this.#current;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get lastError(): string | undefined {
    return this.#lastError;
  }

  start(): void {
    if (this.#stopping !== undefined) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#status = 'Starting';
    this.#loop = this.#keepOpen(stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping?.abort();
    this.#wake();
    await this.#loop;
    this.#stopping = undefined;
    this.#status = 'Stopped';
  }

  async restart(): Promise<void> {
    await this.stop();
    this.#failures = 0;
    this.start();
  }

  async #keepOpen(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const startedAt = performance.now();
      const reason = await this.#openOnce(stopping);
      if (stopping.aborted) return;
      const { limits, onFailed } = this.#parts;
      if (performance.now() - startedAt >= limits.steadyMs) this.#failures = 0;
      this.#failures += 1;
      this.#restarts += 1;
      this.#lastError = reason;
      this.#status = this.#failures >= limits.failures ? 'Failed' : 'Restarting';
      const pauseMs = Math.min(limits.longestBackoffMs, limits.backoffMs * 2 ** (this.#failures - 1));
      onFailed(reason, pauseMs);
      await this.#pause(pauseMs);
    }
  }

  /** Resolves when it has ended, with the reason. */
  async #openOnce(stopping: AbortSignal): Promise<string> {
    let onClosed: (reason: string) => void = () => undefined;
    const closed = new Promise<string>((resolve) => {
      onClosed = resolve;
    });
    let running: T;
    try {
      running = await this.#parts.open(onClosed, stopping);
    } catch (error) {
      return error instanceof Error ? error.message : 'it cannot be started';
    }
    this.#current = running;
    this.#status = 'Running';
    this.#parts.onStarted();
    const stopped = new Promise<string>((resolve) => {
      if (stopping.aborted) resolve('stopped');
      stopping.addEventListener('abort', () => resolve('stopped'), { once: true });
    });
    let isChecking = false;
    let onUnwell: (reason: string) => void = () => undefined;
    const unwell = new Promise<string>((resolve) => {
      onUnwell = resolve;
    });
    const checking = setInterval(() => {
      if (isChecking) return;
      isChecking = true;
      this.#parts
        .check(running)
        .catch(() => onUnwell('it failed its health check'))
        .finally(() => {
          isChecking = false;
        });
    }, this.#parts.checkEveryMs).unref();
    const reason = await Promise.race([closed, stopped, unwell]);
    clearInterval(checking);
    this.#current = undefined;
    if (!stopping.aborted) this.#status = 'Restarting';
    await this.#parts.close(running, reason);
    return reason;
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
