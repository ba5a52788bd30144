import { StatusSchema, StoppingSchema, StopSchema } from '@sallyport/protocol';
import type { App } from '../base-app.ts';
import type { GatewayControl } from '../services.ts';

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
