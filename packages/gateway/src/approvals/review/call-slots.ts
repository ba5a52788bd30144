/** Calls of one tenant under way at once, and how many may wait for a place. */
const AT_ONCE = 4;
const WAITING_AT_MOST = 64;

interface Queue {
  running: number;
  readonly waiting: (() => void)[];
}

/** Bounds the calls to a model for each tenant, so that none takes the places of another. */
export class CallSlots {
  // process-local: bounds how many calls of a model this process has under way
  readonly #queues = new Map<string, Queue>();

  /** Runs `call` once there is a place. Undefined, and nothing ran, when too many wait or `signal` aborts first. */
  async run<T>(tenant: string, signal: AbortSignal, call: () => Promise<T>): Promise<T | undefined> {
    const queue = this.#queues.get(tenant) ?? { running: 0, waiting: [] };
    this.#queues.set(tenant, queue);
    if (queue.running < AT_ONCE) queue.running += 1;
    else if (!(await waitFor(queue, signal))) return undefined;
    try {
      return await call();
    } finally {
      // INVARIANT: whoever waits longest takes the place over; it is never free in between.
      const next = queue.waiting.shift();
      if (next !== undefined) next();
      else queue.running -= 1;
      if (queue.running === 0) this.#queues.delete(tenant);
    }
  }
}

async function waitFor(queue: Queue, signal: AbortSignal): Promise<boolean> {
  if (queue.waiting.length >= WAITING_AT_MOST || signal.aborted) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const wake = (): void => resolve(true);
  const leave = (): void => {
    const place = queue.waiting.indexOf(wake);
    // Woken at the same moment: the place is ours, and the call will see the signal itself.
    if (place < 0) return;
    queue.waiting.splice(place, 1);
    resolve(false);
  };
  queue.waiting.push(wake);
  signal.addEventListener('abort', leave, { once: true });
  const woken = await promise;
  signal.removeEventListener('abort', leave);
  return woken;
}
