import { CreatedReferenceSchema, NewReferenceSchema, SallyportError } from '@sallyport/protocol';
import type { CredentialBroker, References } from '../../credentials/index.ts';
import { parseHost } from '../../shared/host.ts';
import type { App } from '../base-app.ts';
import { operatorOf, timestamp } from '../wire.ts';

/** One-time references: a text in a body that becomes a credential's value on its way. */
export function refsRoutes(app: App, broker: Pick<CredentialBroker, 'refer'>, references: References): void {
  app.post(
    '/v1/refs',
    {
      schema: {
        summary: 'Make a reference for one body: it works once, within 300 s, on one host, in one session',
        body: NewReferenceSchema,
        response: { 201: CreatedReferenceSchema },
      },
    },
    async (request, reply) => {
      const { tenant, credential, session } = request.body;
      const host = parseHost(request.body.host)?.text;
      if (host === undefined) throw new SallyportError('BadRequest', { message: '`host` is not a host' });
      const issued = await broker.refer(
        references,
        { tenant, credential, session, host },
        operatorOf(request),
      );
      return reply.code(201).send({ ref: issued.reference, expires_at: timestamp(issued.expiresAt) });
    },
  );
}
