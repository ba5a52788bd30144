import {
  type AllowRule,
  AllowRuleSchema,
  listOf,
  PageQuerySchema,
  SallyportError,
} from '@sallyport/protocol';
import { z } from 'zod';
import { type ClientRules, findRule, type Grant, type Grants } from '../../gate/index.ts';
import type { ApiKeys } from '../../identity/index.ts';
import { type App, clientOf, operatorOf, requireApiKey, timestamp } from '../../servers/index.ts';

const RuleIdSchema = z.strictObject({ rule_id: z.string().max(64) });

/** Permanent allows of API clients: a client sees and ends its own, and makes none itself. */
export function allowRuleRoutes(
  app: App,
  { keys, clientRules }: { readonly keys: Pick<ApiKeys, 'authenticate'>; readonly clientRules: ClientRules },
): void {
  const admit = { config: { public: true }, onRequest: requireApiKey(keys) };

  app.get(
    '/v1/allow-rules',
    {
      ...admit,
      schema: {
        summary: 'Permanent allows of this client, newest first',
        querystring: PageQuerySchema,
        response: { 200: listOf(AllowRuleSchema) },
      },
    },
    async (request) => {
      const found = await clientRules.list(clientOf(request), request.query);
      return { items: found.items.flatMap(toRule), next_cursor: found.next_cursor };
    },
  );

  app.delete(
    '/v1/allow-rules/:rule_id',
    {
      ...admit,
      schema: {
        summary: 'Revoke a permanent allow; it stays for the record',
        params: RuleIdSchema,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      if (!(await clientRules.revoke(clientOf(request), request.params.rule_id))) throw noRule();
      return reply.code(204).send(null);
    },
  );
}

/** The operator ends any of them. */
export function operatorAllowRuleRoutes(app: App, grants: Grants): void {
  app.delete(
    '/v1/allow-rules/:rule_id',
    {
      schema: {
        summary: 'Revoke a permanent allow of whatever client',
        params: RuleIdSchema,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const rule = await findRule(grants, request.params.rule_id);
      if (rule === undefined) throw noRule();
      await grants.revoke(rule.id, operatorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function toRule({ id, client, covers, endedAt, createdAt }: Grant): AllowRule[] {
  if (client === undefined || covers.kind !== 'declared') return [];
  return [
    {
      rule_id: id,
      client_id: client,
      action_type: covers.type,
      enabled: endedAt === undefined,
      created_at: timestamp(createdAt),
    },
  ];
}

function noRule(): SallyportError {
  return new SallyportError('NotFound', { message: 'there is no such rule' });
}
