import { Readable } from 'node:stream';
import {
  AuditEventSchema,
  type EventFilter,
  EventFilterSchema,
  EventQuerySchema,
  listOf,
  SallyportError,
  VerifyReportSchema,
  VerifySchema,
} from '@sallyport/protocol';
import { z } from 'zod';
import type { App } from '../base-app.ts';
import type { TrailReader } from '../operator-services.ts';

/** The trail for the operator: pages, one event, the check, the export. */
export function auditRoutes(app: App, trail: TrailReader): void {
  app.get(
    '/v1/audit/events',
    {
      schema: {
        summary: 'Events, newest first',
        querystring: EventQuerySchema,
        response: { 200: listOf(AuditEventSchema) },
      },
    },
    async (request) => {
      const { limit, cursor, order, ...filter } = request.query;
      const page = await trail.read({
        ...toQuery(filter),
        limit,
        cursor,
        order: order === 'oldest' ? 'asc' : 'desc',
      });
      return { items: page.items.map(({ json }) => parseEvent(json)), next_cursor: page.nextCursor };
    },
  );

  app.get(
    '/v1/audit/events/:id',
    {
      schema: {
        summary: 'One event',
        params: z.strictObject({ id: z.string() }),
        response: { 200: AuditEventSchema },
      },
    },
    async (request) => {
      const event = await trail.get(request.params.id);
      if (event === undefined) throw new SallyportError('NotFound', { message: 'there is no such event' });
      return parseEvent(event.json);
    },
  );

  app.post(
    '/v1/audit/verify',
    {
      schema: {
        summary: 'Check the chain of one tenant, or of all',
        body: VerifySchema.nullish(),
        response: { 200: VerifyReportSchema },
      },
    },
    async (request) => trail.verify(request.body?.tenant),
  );

  app.get(
    '/v1/audit/export',
    {
      schema: {
        summary: 'Every event that matches, oldest first, one JSON object a line',
        querystring: EventFilterSchema,
        produces: ['application/x-ndjson'],
      },
    },
    async (request, reply) =>
      reply
        .type('application/x-ndjson')
        .header('content-disposition', 'attachment; filename="sallyport-audit.jsonl"')
        // Lines are pulled as the client takes them, so a slow one costs no memory.
        .send(Readable.from(trail.export(toQuery(request.query)), { objectMode: true, highWaterMark: 64 })),
  );
}

function toQuery(filter: EventFilter) {
  return {
    tenant: filter.tenant,
    type: filter.type,
    actionId: filter.action_id,
    text: filter.text,
    since: filter.since === undefined ? undefined : Date.parse(filter.since),
    until: filter.until === undefined ? undefined : Date.parse(filter.until),
  };
}

// What is stored was written by us and is shown as it is, also when a newer version wrote more than we know.
function parseEvent(json: string): z.output<typeof AuditEventSchema> {
  return JSON.parse(json);
}
