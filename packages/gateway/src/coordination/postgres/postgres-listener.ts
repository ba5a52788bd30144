import { setTimeout as delay } from 'node:timers/promises';

const CONNECT_MS = 5_000;
/** How often it is asked whether the connection is still one, in ms */
const ALIVE_MS = 5_000;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

export interface PostgresListenerParts {
  readonly url: string;
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  /** it listens, for the first time or again: what was said before was not heard */
  readonly onListening: () => void;
  readonly onProblem: (error: unknown) => void;
}

/** A connection of its own that listens, and comes back by itself when it breaks. */
export class PostgresListener {
  readonly #parts: PostgresListenerParts;
  readonly #over = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  readonly #running: Promise<void>;

  constructor(parts: PostgresListenerParts) {
    this.#parts = parts;
    this.#running = this.#run();
  }

  /** Resolves when it listens for the first time, or after its first try failed. */
  ready(): Promise<void> {
    return this.#first.promise;
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#over;
    let pauseMs = SHORTEST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await this.#listen(() => {
          pauseMs = SHORTEST_PAUSE_MS;
        });
      } catch (error) {
        if (!signal.aborted) this.#parts.onProblem(error);
      }
      this.#first.resolve();
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /** Until the connection breaks, which is thrown, or the gateway stops. */
  async #listen(onListening: () => void): Promise<void> {
    const { url, channel, onPayload } = this.#parts;
    const { signal } = this.#over;
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      // A server that says nothing any more is none: the question below then fails.
      query_timeout: ALIVE_MS,
      keepAlive: true,
      application_name: 'sallyport wake-ups',
    });
    const broken = Promise.withResolvers<void>();
    // It may break before anybody waits for it.
    broken.promise.catch(() => {});
    client.on('error', broken.reject);
    client.on('end', () => broken.reject(new Error('the connection for wake-ups ended')));
    client.on('notification', ({ payload }) => onPayload(payload ?? ''));
    const stop = (): void => broken.resolve();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      onListening();
      this.#parts.onListening();
      this.#first.resolve();
      const asking = setInterval(() => client.query('select 1').catch(broken.reject), ALIVE_MS);
      await broken.promise.finally(() => clearInterval(asking));
    } finally {
      signal.removeEventListener('abort', stop);
      // Not waited for: a connection to nowhere takes its time to end.
      client.end().catch(() => {});
    }
  }
}
