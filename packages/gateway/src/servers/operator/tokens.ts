import { CreatedTokenSchema, NewTokenSchema, SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import { credentialsOfAgent, findAgent } from '../../config/index.ts';
import type { Placeholders } from '../../credentials/index.ts';
import { parseDuration } from '../../shared/duration.ts';
import type { App } from '../base-app.ts';
import type { OperatorServices } from '../operator-services.ts';
import { showOnce } from '../shown-once.ts';
import { knownTenant, operatorOf, timestamp } from '../wire.ts';

const LONGEST_MS = 2_592_000_000;

/** Session tokens that may use a few credentials only, for a program that the operator starts. */
export function tokensRoutes(
  app: App,
  services: Pick<OperatorServices, 'sessions' | 'config'>,
  placeholders: Pick<Placeholders, 'placeholderOf'>,
): void {
  const { sessions } = services;

  app.post(
    '/v1/tokens',
    {
      schema: {
        summary: 'Make a session token that may use these credentials only; it is shown once',
        body: NewTokenSchema,
        response: { 201: CreatedTokenSchema },
      },
    },
    async (request, reply) => {
      const { tenant, agent, credentials, ttl } = request.body;
      const { config } = services.config;
      const policy = knownTenant(config, tenant);
      if (findAgent(config, tenant, agent) === undefined) {
        throw new SallyportError('NotFound', { message: `there is no agent \`${agent}\`` });
      }
      const own = credentialsOfAgent(config, tenant, agent);
      const foreign = credentials.find((name) => !own.includes(name));
      if (foreign !== undefined) {
        throw new SallyportError('Unprocessable', {
          message: `the agent \`${agent}\` may not use the credential \`${foreign}\``,
          hint: `list it under \`agents.${agent}.credentials\`, and in \`tenants.${tenant}.credentials\``,
        });
      }
      const user = request.body.user ?? policy.default_user;
      if (user === undefined) {
        throw new SallyportError('Unprocessable', {
          message: `tenant \`${tenant}\` has no default user`,
          hint: 'name one in `user`, or set `default_user` of the tenant',
        });
      }
      const { token, session } = await sessions.open({
        ...{ tenant, user, agent, confinement: 'unconfined' },
        credentials: [...new Set(credentials)],
        ttlMs: ttl === undefined ? undefined : lifeOf(ttl),
        by: operatorOf(request),
      });
      return reply.code(201).send({
        id: session.id,
        token: showOnce(token),
        expires_at: timestamp(session.expiresAt),
        placeholders: Object.fromEntries(
          session.credentials.map((name) => [name, placeholders.placeholderOf(session, name)]),
        ),
      });
    },
  );

  app.delete(
    '/v1/tokens/:id',
    {
      schema: {
        summary: 'A token stops working at once, on open connections too',
        params: z.strictObject({ id: z.string() }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await sessions.end(request.params.id, 'token revoked by the operator', operatorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function lifeOf(ttl: number | string): number {
  const ms = typeof ttl === 'number' ? ttl * 1000 : parseDuration(ttl);
  if (ms !== undefined && ms <= LONGEST_MS) return ms;
  throw new SallyportError('BadRequest', {
    message: 'the life of a token is not a duration of at most 30 days',
    hint: 'give seconds, or a duration like `15m`',
  });
}
