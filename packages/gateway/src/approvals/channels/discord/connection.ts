import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'discord.js';
import type { Secret } from '../../../shared/secret.ts';

const LONGEST_PAUSE_MS = 30_000;
const DISCONNECT_MS = 2_000;

export interface ConnectionOptions {
  /** a new client with its listeners: one that has given up cannot be used again */
  readonly create: () => Client;
  readonly token: Secret;
  readonly onProblem: (error: unknown) => void;
  readonly onConnected: () => void;
  /** pause after the first failure in ms; it doubles up to half a minute */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

/**
 * Keeps a connection to the gateway until the signal aborts. The library resumes a connection that broke; it gives up
 * when it cannot log in, and then it is tried again here.
 */
export async function stayConnected(options: ConnectionOptions): Promise<void> {
  const { signal, onProblem } = options;
  let pause = options.pauseMs;
  while (!signal.aborted) {
    const client = options.create();
    const steady = new Steadiness(client);
    const over = Promise.withResolvers<void>();
    const end = (): void => over.resolve();
    signal.addEventListener('abort', end, { once: true });
    client.on('shardDisconnect', end);
    client.on('invalidated', end);
    const report = (error: unknown): void => {
      if (!signal.aborted) onProblem(error);
    };
    client.on('error', report);
    client.on('shardError', report);
    client.on('shardReady', options.onConnected);
    client.on('shardResume', options.onConnected);
    const login = client.login(options.token.reveal());
    login.catch(() => {}); // handled below, unless the end came first
    try {
      await Promise.race([login, over.promise]);
      pause = options.pauseMs;
      await over.promise;
      await leave(client, steady);
    } catch (error) {
      // The library has closed what it had opened.
      report(error);
    }
    signal.removeEventListener('abort', end);
    if (!signal.aborted) await sleep(pause, undefined, { signal }).catch(() => {}); // an abort ends the loop
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

/** Whether the client is connected, or about to be. */
class Steadiness {
  #steady = false;
  #waiting: (() => void)[] = [];

  constructor(client: Client) {
    const settle = (): void => {
      this.#steady = true;
      for (const wake of this.#waiting.splice(0)) wake();
    };
    client.on('shardReady', settle);
    client.on('shardResume', settle);
    client.on('shardDisconnect', settle);
    client.on('shardReconnecting', () => {
      this.#steady = false;
    });
  }

  async reached(): Promise<void> {
    if (!this.#steady) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/**
 * Closes a client. One that is just connecting is closed once it has connected: the library, asked to stop in between,
 * connects again by itself, or lets go of a socket whose error then ends the process.
 */
async function leave(client: Client, steady: Steadiness): Promise<void> {
  const waiting = new AbortController();
  const left = steady
    .reached()
    .then(() => client.destroy())
    .catch(() => {}) // it is over either way
    .finally(() => waiting.abort());
  const late = sleep(DISCONNECT_MS, undefined, { signal: waiting.signal }).then(
    () => holdUp(client),
    () => {}, // it left in time
  );
  await Promise.race([left, late]);
}

/**
 * Before each try to connect again the library asks for the session; here it waits for it, and tries no more. There is
 * no other way to end its tries, and they would keep the process alive for as long as Discord is away.
 */
function holdUp(client: Client): void {
  const sessionInfo = { get: () => new Promise(() => {}), set: () => {} };
  for (const [id, shard] of [...client.ws.shards])
    client.ws.shards.set(id, Object.create(shard, { sessionInfo }));
}
