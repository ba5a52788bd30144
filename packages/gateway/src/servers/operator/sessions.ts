import {
  listOf,
  NameSchema,
  OpenSessionSchema,
  PageQuerySchema,
  SallyportError,
  SessionSchema,
  SessionTokenSchema,
} from '@sallyport/protocol';
import { z } from 'zod';
import { credentialsOfAgent } from '../../config/index.ts';
import type { App } from '../base-app.ts';
import type { OperatorServices } from '../operator-services.ts';
import { knownTenant, operatorOf, toSession, toSessionToken } from '../wire.ts';

const ListQuerySchema = PageQuerySchema.extend({
  tenant: NameSchema.optional(),
  all: z.stringbool().default(false).describe('ended and expired sessions too'),
});
const IdSchema = z.strictObject({ id: z.string() });

/** Sessions of every tenant, for the operator. */
export function sessionsRoutes(app: App, services: OperatorServices): void {
  const { sessions, allSessions } = services;

  app.get(
    '/v1/sessions',
    {
      schema: {
        summary: 'Live sessions, newest first',
        querystring: ListQuerySchema,
        response: { 200: listOf(SessionSchema) },
      },
    },
    async (request) => {
      const { tenant, all, ...page } = request.query;
      const found =
        tenant === undefined
          ? await sessions.listOfAllTenants(page, !all)
          : await sessions.list(tenant, page, !all);
      return { items: found.items.map(toSession), next_cursor: found.next_cursor };
    },
  );

  app.post(
    '/v1/sessions',
    {
      schema: {
        summary: 'Open a session for any tenant, user, agent and confinement; the token is shown once',
        body: OpenSessionSchema,
        response: { 201: SessionTokenSchema },
      },
    },
    async (request, reply) => {
      const { tenant, confinement, workspace } = request.body;
      const { config } = services.config;
      const policy = knownTenant(config, tenant);
      const agent = request.body.agent ?? policy.default_agent;
      const user = request.body.user ?? policy.default_user;
      if (agent === undefined || user === undefined) {
        const missing = agent === undefined ? 'agent' : 'user';
        throw new SallyportError('Unprocessable', {
          message: `tenant \`${tenant}\` has no default ${missing}`,
          hint: `name one in \`${missing}\`, or set \`default_${missing}\` of the tenant`,
        });
      }
      const opened = await sessions.open({
        tenant,
        user,
        agent,
        confinement,
        credentials: credentialsOfAgent(config, tenant, agent),
        workspace,
        by: operatorOf(request),
      });
      return reply.code(201).send(toSessionToken(opened));
    },
  );

  app.get(
    '/v1/sessions/:id',
    { schema: { summary: 'One session', params: IdSchema, response: { 200: SessionSchema } } },
    async (request) => {
      const record = await allSessions.findOfAnyTenant(request.params.id);
      if (record === undefined) throw new SallyportError('NotFound', { message: 'there is no such session' });
      return toSession(record);
    },
  );

  app.delete(
    '/v1/sessions/:id',
    {
      schema: {
        summary: 'End a session at once, on open connections too',
        params: IdSchema,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await sessions.end(request.params.id, 'ended by the operator', operatorOf(request));
      return reply.code(204).send(null);
    },
  );
}
