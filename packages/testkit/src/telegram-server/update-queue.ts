import { ApiError } from './chats.ts';

export type Update = { readonly update_id: number } & Readonly<Record<string, unknown>>;

interface Poll {
  readonly done: (updates: readonly Update[]) => void;
  readonly fail: (error: ApiError) => void;
  readonly limit: number;
}

/** `getUpdates`: an update stays until a call with a higher offset confirms it; only one call waits at a time. */
export class UpdateQueue {
  #updates: Update[] = [];
  #nextId = 1_000;
  #poll: Poll | undefined;

  /** updates that nobody has confirmed */
  get unconfirmed(): readonly Update[] {
    return this.#updates;
  }

  get isPolled(): boolean {
    return this.#poll !== undefined;
  }

  push(content: Readonly<Record<string, unknown>>): Update {
    const update: Update = { update_id: this.#nextId, ...content };
    this.#nextId += 1;
    this.#updates.push(update);
    this.#release();
    return update;
  }

  async get(
    query: { offset: number; limit: number; timeoutMs: number },
    gone: AbortSignal,
  ): Promise<readonly Update[]> {
    this.#poll?.fail(
      new ApiError(
        409,
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      ),
    );
    if (query.offset > 0) this.#updates = this.#updates.filter(({ update_id }) => update_id >= query.offset);
    if (this.#updates.length > 0 || query.timeoutMs === 0) return this.#updates.slice(0, query.limit);
    const { promise, resolve, reject } = Promise.withResolvers<readonly Update[]>();
    const poll: Poll = { done: resolve, fail: reject, limit: query.limit };
    this.#poll = poll;
    const timer = setTimeout(() => resolve([]), query.timeoutMs);
    gone.addEventListener('abort', () => resolve([]), { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      if (this.#poll === poll) this.#poll = undefined;
    });
  }

  #release(): void {
    this.#poll?.done(this.#updates.slice(0, this.#poll.limit));
  }
}
