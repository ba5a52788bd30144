import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApprovalDetail, AuditEventSchema, SallyportError } from '@sallyport/protocol';
import type { OperatorClient } from '../operator-client.ts';
import { listPending } from './decide.ts';

export type FeedEvent = ReturnType<typeof AuditEventSchema.parse>;

export interface LiveFeedOptions {
  readonly operator: OperatorClient;
  readonly signal: AbortSignal;
  readonly onQuestions: (questions: readonly ApprovalDetail[]) => void;
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
      options.onQuestions((await listPending(operator)).items);
      options.onTrouble(undefined);
      for await (const line of createInterface({ input: stream })) {
        if (!line.startsWith('data: ')) continue;
        const event = AuditEventSchema.parse(JSON.parse(line.slice(6)));
        last = event.id;
        options.onEvent(event);
        if (event.approval_id !== undefined) options.onQuestions((await listPending(operator)).items);
      }
      throw new SallyportError('GatewayNotRunning', { message: 'the gateway closed the connection' });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SallyportError && error.code === 'NotAuthenticated') throw error;
      options.onTrouble(error instanceof Error ? error.message : String(error));
      await sleep(options.pauseMs, undefined, { signal }).catch(() => {}); // an abort ends the loop above
    }
  }
}
