import { setTimeout as sleep } from 'node:timers/promises';
import type { Secret } from '../../../shared/secret.ts';
import type { DiscordClient } from './discord-part.ts';

const LONGEST_PAUSE_MS = 30_000;

export interface ConnectionOptions {
  /** a new client with its listeners: one that has given up cannot be used again */
  readonly create: () => DiscordClient;
  readonly token: Secret;
  readonly onProblem: (error: unknown) => void;
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
    try {
      const login = client.login(options.token.reveal()).then(() => {
        pause = options.pauseMs;
      });
      login.catch(() => {}); // handled below, unless the end came first
      await Promise.race([login, over.promise]);
      await over.promise;
    } catch (error) {
      report(error);
    }
    signal.removeEventListener('abort', end);
    await client.destroy().catch(() => {}); // it is over either way
    if (!signal.aborted) await sleep(pause, undefined, { signal }).catch(() => {}); // an abort ends the loop
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}
