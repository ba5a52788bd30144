import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuditEventSchema, SallyportError } from '@sallyport/protocol';
import type { OperatorClient } from '../operator-client.ts';
import { type ApprovalPage, listPending } from './decide.ts';

export type FeedEvent = ReturnType<typeof AuditEventSchema.parse>;

export interface LiveFeedOptions {
  readonly operator: OperatorClient;
  readonly signal: AbortSignal;
  readonly onQuestions: (page: ApprovalPage) => void;
  readonly onEvent: (event: FeedEvent) => void;
  /** the connection was lost (a text) or is there again (undefined) */
  readonly onTrouble: (text: string | undefined) => void;
  /** pause before the next try, in ms */
  readonly pauseMs: number;
}

/** Events as they happen and the questions that wait, until the signal aborts; a lost connection is made again. */
export async function followFeed(options: LiveFeedOptions): Promise<void> {
  const { operator, signal } = options;
  let last: string | undefined;
  const refresh = coalesced(async () => options.onQuestions(await listPending(operator)));
  const trouble = (error: unknown): void =>
    options.onTrouble(error instanceof Error ? error.message : String(error));
  while (!signal.aborted) {
    try {
      const stream = await operator.open({
        method: 'GET',
        path: '/v1/events',
        accept: 'text/event-stream',
        signal,
        ...(last === undefined ? {} : { headers: { 'last-event-id': last } }),
      });
      // After the stream is open, so that nothing that happens in between is missed.
      await refresh();
      options.onTrouble(undefined);
      for await (const line of createInterface({ input: stream })) {
        if (!line.startsWith('data: ')) continue;
        const event = AuditEventSchema.parse(JSON.parse(line.slice(6)));
        last = event.id;
        options.onEvent(event);
        if (event.approval_id !== undefined) void refresh().catch(trouble);
      }
      throw new SallyportError('GatewayNotRunning', { message: 'the gateway closed the connection' });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SallyportError && error.code === 'NotAuthenticated') throw error;
      trouble(error);
      await sleep(options.pauseMs, undefined, { signal }).catch(() => {}); // an abort ends the loop above
    }
  }
}

/** Runs one at a time; however often it is called meanwhile, it runs once more after that. */
function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isWanted = false;
  const run = async (): Promise<void> => {
    do {
      isWanted = false;
      await work();
    } while (isWanted);
  };
  return () => {
    isWanted = true;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}
