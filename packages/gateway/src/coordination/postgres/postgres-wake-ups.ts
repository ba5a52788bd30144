import { sql } from 'kysely';
import type { WakeUps, Woken } from '../coordination.ts';
import { WakeListeners } from '../wake-listeners.ts';
import { PostgresListener } from './postgres-listener.ts';
import type { SharedDatabase } from './shared-database.ts';

const CHANNEL = 'sallyport_wake';
/** Bytes of one notification; the server takes fewer than 8000 */
const PAYLOAD_AT_MOST = 7_000;
/** Keys that wait to be sent; past that, everybody looks at everything */
const WAITING_AT_MOST = 10_000;

interface Message {
  readonly from: string;
  readonly topic: string;
  /** absent: all */
  readonly keys?: readonly string[];
}

/**
 * `NOTIFY` to the other gateways; those of this one are woken without it. What comes while one is being sent goes with the
 * next, so that a burst is a few notifications.
 */
export class PostgresWakeUps implements WakeUps {
  readonly #db: SharedDatabase;
  readonly #own: string;
  readonly #onProblem: (error: unknown) => void;
  readonly #listeners: WakeListeners;
  readonly #listener: PostgresListener;
  readonly #waiting = new Map<string, Set<string> | 'all'>();
  #sending: Promise<void> | undefined;

  constructor(db: SharedDatabase, url: string, own: string, onProblem: (error: unknown) => void) {
    this.#db = db;
    this.#own = own;
    this.#onProblem = onProblem;
    this.#listeners = new WakeListeners(onProblem);
    this.#listener = new PostgresListener({
      url,
      channel: CHANNEL,
      onPayload: (payload) => this.#hear(payload),
      // Catches up: what was said while nobody listened stands in the rows.
      onListening: () => this.#listeners.tellAll(),
      onProblem,
    });
  }

  wake(topic: string, key: string): void {
    this.#listeners.tell(topic, [key]);
    const keys = this.#waiting.get(topic) ?? new Set<string>();
    if (keys !== 'all') this.#waiting.set(topic, keys.size < WAITING_AT_MOST ? keys.add(key) : 'all');
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  listen(topic: string, listener: (woken: Woken) => void): () => void {
    return this.#listeners.add(topic, listener);
  }

  ready(): Promise<void> {
    return this.#listener.ready();
  }

  async close(): Promise<void> {
    await this.#sending;
    await this.#listener.close();
  }

  async #send(): Promise<void> {
    // What is decided in the same turn goes together.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const payloads = [...this.#waiting].flatMap(([topic, keys]) => payloadsOf(this.#own, topic, keys));
      this.#waiting.clear();
      try {
        await this.#db.rows(sql`select pg_notify(${CHANNEL}, said) from unnest(${payloads}::text[]) as said`);
      } catch (error) {
        // A hint is lost. Whoever waits looks at its row by itself, a moment later.
        this.#onProblem(error);
      }
    }
  }

  #hear(payload: string): void {
    const message = readMessage(payload);
    if (message !== undefined && message.from !== this.#own)
      this.#listeners.tell(message.topic, message.keys ?? 'all');
  }
}

function payloadsOf(from: string, topic: string, keys: ReadonlySet<string> | 'all'): readonly string[] {
  if (keys === 'all') return [JSON.stringify({ from, topic } satisfies Message)];
  const payloads: string[] = [];
  let some: string[] = [];
  let bytes = 0;
  const finish = (): void => {
    if (some.length > 0) payloads.push(JSON.stringify({ from, topic, keys: some } satisfies Message));
    some = [];
    bytes = 0;
  };
  for (const key of keys) {
    const size = Buffer.byteLength(JSON.stringify(key)) + 1;
    if (bytes + size > PAYLOAD_AT_MOST) finish();
    some.push(key);
    bytes += size;
  }
  finish();
  return payloads;
}

/** SECURITY: whoever may write to the database may say anything here; it is a hint to look, and nothing else. */
function readMessage(payload: string): Message | undefined {
  try {
    const { from, topic, keys } = JSON.parse(payload) as Record<string, unknown>;
    if (typeof from !== 'string' || typeof topic !== 'string') return undefined;
    if (keys === undefined) return { from, topic };
    if (!Array.isArray(keys)) return undefined;
    return { from, topic, keys: keys.filter((key) => typeof key === 'string') };
  } catch {
    return undefined;
  }
}
