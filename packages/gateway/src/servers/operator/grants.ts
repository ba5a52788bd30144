import {
  GrantSchema,
  type GrantWire,
  listOf,
  NameSchema,
  PageQuerySchema,
  SallyportError,
} from '@sallyport/protocol';
import { z } from 'zod';
import { describeGrant, type Grant, type Grants, insteadOf, isEarlierCover } from '../../gate/index.ts';
import type { App } from '../base-app.ts';
import { operatorOf, timestamp } from '../wire.ts';

/** Standing answers: seen and revoked here, made only by a person's decision. */
export function grantsRoutes(app: App, grants: Grants): void {
  app.get(
    '/v1/grants',
    {
      schema: {
        summary: 'Standing answers that people gave, newest first',
        querystring: PageQuerySchema.extend({
          tenant: NameSchema.optional(),
          ended: z.stringbool().default(false).describe('also those that are used up, expired or revoked'),
        }),
        response: { 200: listOf(GrantSchema) },
      },
    },
    async (request) => {
      const { tenant, ended, ...page } = request.query;
      const found = await grants.list({ ...(tenant === undefined ? {} : { tenant }), ended }, page);
      return { items: found.items.map(toWire), next_cursor: found.next_cursor };
    },
  );

  app.delete(
    '/v1/grants/:id',
    {
      schema: {
        summary: 'Revoke a grant; it answers nothing from now on',
        params: z.strictObject({ id: z.string().max(64) }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      if (!(await grants.revoke(request.params.id, operatorOf(request)))) {
        throw new SallyportError('NotFound', { message: 'there is no live grant of that id' });
      }
      return reply.code(204).send(null);
    },
  );
}

function toWire(grant: Grant): GrantWire {
  return {
    id: grant.id,
    tenant: grant.tenant,
    agent: grant.agent ?? null,
    client: grant.client ?? null,
    covers: describeGrant(grant),
    cover: { ...grant.covers },
    answer: grant.answer,
    scope: grant.scope,
    session: grant.session ?? null,
    expires_at: grant.expiresAt === undefined ? null : timestamp(grant.expiresAt),
    created_at: timestamp(grant.createdAt),
    created_by: grant.createdBy,
    approval_id: grant.approvalId ?? null,
    uses: grant.uses,
    ended_at: grant.endedAt === undefined ? null : timestamp(grant.endedAt),
    end_reason: grant.endReason ?? null,
    instead: isEarlierCover(grant.covers) ? insteadOf(grant.covers) : null,
  };
}
