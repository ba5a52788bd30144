import { StatusSchema, StoppingSchema, StopSchema } from '@sallyport/protocol';
import { z } from 'zod';
import type { App } from '../base-app.ts';
import type { Metrics } from '../metrics.ts';
import type { GatewayControl } from '../operator-services.ts';

/** What the gateway says about itself, and how to stop it. */
export function statusRoutes(app: App, gateway: GatewayControl): void {
  app.get(
    '/v1/status',
    { schema: { summary: 'What runs, where, and how it is', response: { 200: StatusSchema } } },
    async () => gateway.status(),
  );

  app.post(
    '/v1/stop',
    {
      schema: {
        summary: 'Stop the gateway; with `now` every session ends first (the kill switch)',
        body: StopSchema.nullish(),
        response: { 202: StoppingSchema },
      },
    },
    async (request, reply) => {
      const sessionsEnded = request.body?.now === true ? await gateway.endAllSessions() : 0;
      // The answer is on its way before the listeners close.
      reply.raw.once('close', () => gateway.stop(request.body?.now === true ? 'killed' : 'stopped'));
      return reply.code(202).send({ stopping: true as const, sessions_ended: sessionsEnded });
    },
  );
}

/** `GET /metrics`: Prometheus text. Wants the operator token, as a scraper's `bearer_token_file`. */
export function metricsRoutes(app: App, metrics: Metrics): void {
  app.get(
    '/metrics',
    { schema: { summary: 'Counters and gauges for Prometheus', response: { 200: z.string() } } },
    async (_request, reply) => {
      const { contentType, body } = await metrics.text();
      return reply.type(contentType).serializer(String).send(body);
    },
  );
}
