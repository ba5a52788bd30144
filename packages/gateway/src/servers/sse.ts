import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** One message of a stream of server-sent events. */
export interface SseMessage {
  /** what the client sends back as `Last-Event-ID` */
  readonly id: string;
  readonly event: string;
  /** one line */
  readonly data: string;
}

/**
 * Writes messages until the source ends, which it must do once `signal` aborts. A comment line goes out
 * whenever nothing else did for a while, so that nobody takes a quiet stream for a dead one.
 *
 * Memory stays bounded: the next message is taken from the source only once the one before is on its way,
 * and a client that does not read runs into the idle timeout of the server.
 */
export async function writeSse(
  response: ServerResponse,
  source: AsyncIterable<SseMessage>,
  options: { readonly signal: AbortSignal; readonly heartbeatMs: number },
): Promise<void> {
  let quiet = true;
  const heartbeat = setInterval(() => {
    if (quiet && !response.writableNeedDrain) response.write(': beat\n\n');
    quiet = true;
  }, options.heartbeatMs);
  try {
    for await (const { id, event, data } of source) {
      quiet = false;
      const flushed = response.write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);
      if (!flushed) await once(response, 'drain', { signal: options.signal });
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
}
