import {
  APPROVAL_STATUSES,
  ApprovalDetailSchema,
  DECISION_CODES,
  DecisionOutcomeSchema,
  DecisionSchema,
  listOf,
  NameSchema,
  PageQuerySchema,
  SallyportError,
} from '@sallyport/protocol';
import { z } from 'zod';
import {
  type Approval,
  type Decision,
  MENU_HELP,
  type OpenApprovals,
  toDecision,
} from '../../approvals/index.ts';
import type { App } from '../../servers/index.ts';
import { toDetail } from './approval-wire.ts';

export interface DecisionRouteServices {
  readonly approvals: Pick<OpenApprovals, 'approvals' | 'decisions' | 'deciders'>;
  readonly clock: { now(): number };
}

const BODY_BYTES = 7 * 1024 * 1024;

/** Questions of every tenant, seen and decided. Operator side only. */
export function decisionRoutes(app: App, { approvals: gate, clock }: DecisionRouteServices): void {
  const { approvals, decisions, deciders } = gate;
  const IdSchema = z.strictObject({ id: z.string().max(64) });
  const detail = (approval: Approval) =>
    toDetail(approval, approval.status === 'pending' ? deciders.namesFor(approval, clock.now()) : []);

  app.get(
    '/v1/approvals',
    {
      schema: {
        summary: 'Questions to people, newest first',
        querystring: PageQuerySchema.extend({
          tenant: NameSchema.optional(),
          status: z.enum(APPROVAL_STATUSES).optional(),
        }),
        response: { 200: listOf(ApprovalDetailSchema) },
      },
    },
    async (request) => {
      const { tenant, status, ...page } = request.query;
      const filter = {
        ...(tenant === undefined ? {} : { tenant }),
        ...(status === undefined ? {} : { status }),
      };
      const found = await approvals.list(filter, page);
      return { items: found.items.map(detail), next_cursor: found.next_cursor };
    },
  );

  app.get(
    '/v1/approvals/:id',
    {
      schema: {
        summary: 'One question, all of it',
        params: IdSchema,
        response: { 200: ApprovalDetailSchema },
      },
    },
    async (request) => {
      const found = await approvals.find(request.params.id);
      if (found === undefined) throw new SallyportError('NotFound', { message: 'there is no such approval' });
      return detail(found);
    },
  );

  app.post(
    '/v1/approvals/:id/decision',
    {
      bodyLimit: BODY_BYTES,
      schema: {
        summary: 'Answer a question; the first answer wins',
        params: IdSchema,
        body: DecisionSchema,
        response: { 200: DecisionOutcomeSchema },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { code, text, minutes, scope, always, again, binding } = request.body;
      if ((await approvals.find(id)) === undefined)
        throw new SallyportError('NotFound', { message: 'there is no such approval' });
      const known = DECISION_CODES.find((candidate) => candidate === code);
      const parsed = known === undefined ? undefined : toDecision(known, text);
      if (parsed?.kind !== 'decision') throw unparsed();
      const decision: Decision = {
        ...parsed.decision,
        ...(minutes === undefined ? {} : { minutes }),
        ...(scope === undefined ? {} : { scope }),
        ...(always === true ? { always } : {}),
        ...(again === true ? { again } : {}),
      };
      const outcome = await decisions.fromOperator(id, decision, binding);
      switch (outcome.kind) {
        case 'decided':
        case 'kept':
          return { outcome: outcome.kind, missing: 0, approval: detail(outcome.approval) };
        case 'counted':
          return { outcome: outcome.kind, missing: outcome.missing, approval: detail(outcome.approval) };
        case 'too-late':
          throw tooLate(outcome.approval);
        case 'invalid':
          throw unparsed();
        case 'refused':
          throw new SallyportError('Unprocessable', { message: outcome.message });
      }
    },
  );
}

function unparsed(): SallyportError {
  return new SallyportError('Unprocessable', {
    message: 'this is no answer from the menu',
    hint: MENU_HELP.replaceAll('\n', ' '),
  });
}

function tooLate({ status, decidedBy, decidedVia, cancelReason }: Approval): SallyportError {
  if (status === 'expired') return new SallyportError('ApprovalExpired');
  const who = decidedBy === undefined ? '' : ` by \`${decidedBy}\` (${decidedVia ?? ''})`;
  return new SallyportError('Conflict', {
    message: `it is ${status} already${who}`,
    details: { status, decided_by: decidedBy ?? null, cancel_reason: cancelReason ?? null },
  });
}
