import { EventFilterSchema, SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import type { App } from '../base-app.ts';
import type { TrailReader } from '../operator-services.ts';
import { type SseMessage, writeSse } from '../sse.ts';

const EventIdSchema = z.string().regex(/^evt_[0-9a-z]{26}$/);

export interface EventStreamOptions {
  readonly heartbeatMs: number;
  /** open streams at once; each holds a place in the trail */
  readonly maxStreams: number;
  /** aborts when the gateway stops */
  readonly stopping: AbortSignal;
}

/** `GET /v1/events`: events as they are committed, as server-sent events, resumed after `Last-Event-ID`. */
export function eventRoutes(app: App, trail: TrailReader, options: EventStreamOptions): void {
  let open = 0;
  app.get(
    '/v1/events',
    {
      schema: {
        summary: 'Events as they happen (server-sent events)',
        querystring: EventFilterSchema.pick({ tenant: true, type: true }),
        response: { 200: z.string() },
      },
    },
    async (request, reply) => {
      const lastEventId = parseLastEventId(request.headers['last-event-id']);
      if (open >= options.maxStreams) {
        throw new SallyportError('TooManyRequests', { message: 'too many event streams are open' });
      }
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const signal = AbortSignal.any([gone.signal, options.stopping]);

      const { tenant, type } = request.query;
      const lines = trail.subscribe({ tenant, lastEventId, signal });
      reply.hijack();
      reply.raw.writeHead(200, {
        ...textHeaders(reply.getHeaders()),
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      });
      reply.raw.write('retry: 1000\n\n');
      open += 1;
      try {
        await writeSse(reply.raw, messages(lines, type), { signal, heartbeatMs: options.heartbeatMs });
      } finally {
        open -= 1;
      }
    },
  );
}

async function* messages(
  lines: ReturnType<TrailReader['subscribe']>,
  type: string | undefined,
): AsyncGenerator<SseMessage> {
  for await (const line of lines) {
    if (type === undefined || line.type === type) yield { id: line.id, event: line.type, data: line.json };
  }
}

function parseLastEventId(header: string | string[] | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  const parsed = EventIdSchema.safeParse(header);
  if (parsed.success) return parsed.data;
  throw new SallyportError('BadRequest', { message: '`Last-Event-ID` is not the id of an event' });
}

function textHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
