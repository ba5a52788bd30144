import {
  ExplainQuestionSchema,
  ExplanationSchema,
  listOf,
  NameSchema,
  RuleSchema,
  SimulateSchema,
  SimulationSchema,
} from '@sallyport/protocol';
import { z } from 'zod';
import type { PolicyDesk } from '../../rehearsal/index.ts';
import type { App } from '../base-app.ts';

/** Questions about the policy. None of these decides or changes anything. */
export function policyRoutes(app: App, desk: PolicyDesk): void {
  app.post(
    '/v1/explain',
    {
      schema: {
        summary: 'What the gate would say, layer by layer, and what to change to get another answer',
        body: ExplainQuestionSchema,
        response: { 200: ExplanationSchema },
      },
    },
    (request) => desk.explain(request.body),
  );

  app.get(
    '/v1/rules',
    {
      schema: {
        summary: 'The rules in force, in the order in which they are judged',
        querystring: z.strictObject({ tenant: NameSchema.default('default') }),
        response: { 200: listOf(RuleSchema) },
      },
    },
    async (request) => ({ items: [...desk.rules(request.query.tenant)], next_cursor: null }),
  );

  app.post(
    '/v1/simulate',
    {
      schema: {
        summary:
          'Judge what the trail holds again, under another config; lists every decision that would differ',
        body: SimulateSchema,
        response: { 200: SimulationSchema },
      },
    },
    (request) => {
      const { policy, since, until, tenant } = request.body;
      return desk.simulate({
        policy,
        ...(since === undefined ? {} : { since: Date.parse(since) }),
        ...(until === undefined ? {} : { until: Date.parse(until) }),
        ...(tenant === undefined ? {} : { tenant }),
      });
    },
  );
}
