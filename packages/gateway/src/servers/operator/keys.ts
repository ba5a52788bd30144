import {
  ApiKeySchema,
  CreatedApiKeySchema,
  CreatedEnrollmentSchema,
  listOf,
  NameSchema,
  NewApiKeySchema,
  NewEnrollmentSchema,
  PageQuerySchema,
  SallyportError,
} from '@sallyport/protocol';
import { z } from 'zod';
import { findAgent } from '../../config/index.ts';
import type { App } from '../base-app.ts';
import type { OperatorServices } from '../operator-services.ts';
import { showOnce } from '../shown-once.ts';
import { knownTenant, operatorOf, toApiKey } from '../wire.ts';

const TenantQuerySchema = z.strictObject({ tenant: NameSchema.default('default') });

/** API keys, and the secrets with which agents enroll. */
export function keysRoutes(app: App, services: OperatorServices): void {
  const { keys, enrollment, gateway } = services;

  app.get(
    '/v1/keys',
    {
      schema: {
        summary: 'API keys of one tenant, never their values',
        querystring: PageQuerySchema.extend(TenantQuerySchema.shape),
        response: { 200: listOf(ApiKeySchema) },
      },
    },
    async (request) => {
      const { tenant, ...page } = request.query;
      const found = await keys.list(tenant, page);
      return { items: found.items.map(toApiKey), next_cursor: found.next_cursor };
    },
  );

  app.post(
    '/v1/keys',
    {
      schema: {
        summary: 'Make an API key; it is shown once',
        body: NewApiKeySchema,
        response: { 201: CreatedApiKeySchema },
      },
    },
    async (request, reply) => {
      const { tenant, name } = request.body;
      knownTenant(services.config.config, tenant);
      const { key, record } = await keys.create({ tenant, name, by: operatorOf(request) });
      return reply.code(201).send({ ...toApiKey(record), key: showOnce(key) });
    },
  );

  app.delete(
    '/v1/keys/:id',
    {
      schema: {
        summary: 'An API key stops working at once',
        params: z.strictObject({ id: z.string() }),
        querystring: TenantQuerySchema,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await keys.revoke(request.query.tenant, request.params.id, operatorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/v1/enrollment',
    {
      schema: {
        summary: 'Make the enrollment secret of a tenant or of one agent; the one before stops working',
        body: NewEnrollmentSchema,
        response: { 201: CreatedEnrollmentSchema },
      },
    },
    async (request, reply) => {
      const { tenant, agent } = request.body;
      const { config } = services.config;
      knownTenant(config, tenant);
      if (agent !== undefined && findAgent(config, tenant, agent) === undefined) {
        throw new SallyportError('NotFound', { message: `there is no agent \`${agent}\`` });
      }
      const secret = await enrollment.rotate({ tenant, agent, by: operatorOf(request) });
      if (agent === undefined) gateway.saveEnrollmentSecret(tenant, secret);
      const body = { tenant, agent: agent ?? null, enrollment_secret: showOnce(secret) };
      return reply.code(201).send(body);
    },
  );
}
