import { setTimeout as sleep } from 'node:timers/promises';
import { SallyportError } from '@sallyport/protocol';
import type { SocketModeReceiver } from '@slack/bolt';

type SlackSocketClient = SocketModeReceiver['client'];

const CONNECT_MS = 30_000;
const DISCONNECT_MS = 2_000;
/** A connection that lasted so long was a good one: the next is made without a pause. */
const GOOD_MS = 10_000;
const LONGEST_PAUSE_MS = 30_000;

export interface SocketOptions {
  readonly onProblem: (error: unknown) => void;
  readonly onConnected: () => void;
  /** pause after the first failure in ms; it doubles up to half a minute */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

/**
 * Keeps a socket-mode connection until the signal aborts. Slack ends each one after some hours and says so before.
 *
 * The library's own reconnecting is not used: a network that is down makes it reject a promise that nobody holds,
 * which would end the gateway.
 */
export async function stayConnected(client: SlackSocketClient, options: SocketOptions): Promise<void> {
  const { signal } = options;
  let closed = Promise.withResolvers<void>();
  client.on('disconnected', () => closed.resolve());
  const leave = (): void => closed.resolve();
  signal.addEventListener('abort', leave, { once: true });
  let pause = options.pauseMs;
  while (!signal.aborted) {
    closed = Promise.withResolvers();
    let since: number | undefined;
    try {
      await withLimit(client.start(), CONNECT_MS);
      since = performance.now();
      options.onConnected();
      if (!signal.aborted) await closed.promise;
    } catch (error) {
      if (!signal.aborted) options.onProblem(error);
    }
    if (signal.aborted) break;
    const wasGood = since !== undefined && performance.now() - since >= GOOD_MS;
    if (!wasGood) await sleep(pause, undefined, { signal }).catch(() => {}); // an abort ends the loop
    pause = wasGood ? options.pauseMs : Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
  await disconnect(client);
}

/** The second call ends at once what the first one could not end politely. */
async function disconnect(client: SlackSocketClient): Promise<void> {
  try {
    await withLimit(client.disconnect(), DISCONNECT_MS);
  } catch {
    await client.disconnect().catch(() => {}); // it is over either way
  }
}

async function withLimit(work: Promise<unknown>, ms: number): Promise<void> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal }).then(() => {
    throw new SallyportError('Unavailable', { message: 'Slack accepts no connection' });
  });
  late.catch(() => {}); // aborted below
  try {
    await Promise.race([work, late]);
  } finally {
    timer.abort();
    work.catch(() => {}); // it lost the race, and nobody waits for it
  }
}
