import { z } from 'zod';
import type { App } from '../base-app.ts';
import type { Metrics } from '../metrics.ts';

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
