import {
  ApplySuggestionsSchema,
  ExplainQuestionSchema,
  ExplanationSchema,
  listOf,
  NameSchema,
  RuleSchema,
  SimulateSchema,
  SimulationSchema,
  StatsSchema,
  SuggestionSchema,
} from '@sallyport/protocol';
import { z } from 'zod';
import type { Period, PolicyQuestions } from '../../rehearsal/index.ts';
import type { App } from '../base-app.ts';

/** Questions about the policy. None of these decides or changes anything. */
export function policyRoutes(app: App, questions: PolicyQuestions): void {
  app.post(
    '/v1/explain',
    {
      schema: {
        summary: 'What the gate would say, layer by layer, and what to change to get another answer',
        body: ExplainQuestionSchema,
        response: { 200: ExplanationSchema },
      },
    },
    (request) => questions.explain(request.body),
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
    async (request) => ({ items: [...questions.rules(request.query.tenant)], next_cursor: null }),
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
    (request) => questions.simulate({ policy: request.body.policy, ...periodOf(request.body) }),
  );

  app.get(
    '/v1/stats',
    {
      schema: {
        summary: 'How often people were asked, why, how long they took, and what they always allow',
        querystring: SimulateSchema.omit({ policy: true }),
        response: { 200: StatsSchema },
      },
    },
    (request) => questions.stats(periodOf(request.query)),
  );

  app.get(
    '/v1/suggestions',
    {
      schema: {
        summary: 'Settings that would have answered what people always allowed, each proved over the trail',
        querystring: SimulateSchema.omit({ policy: true }),
        response: { 200: listOf(SuggestionSchema) },
      },
    },
    async (request) => ({
      items: [...(await questions.suggest(periodOf(request.query)))],
      next_cursor: null,
    }),
  );

  app.post(
    '/v1/suggestions/apply',
    {
      schema: {
        summary: 'Write suggestions into the config file, keeping everything else as it is written',
        body: ApplySuggestionsSchema,
        response: { 200: listOf(SuggestionSchema) },
      },
    },
    async (request) => {
      const { ids, ...period } = request.body;
      return { items: [...(await questions.apply(ids, periodOf(period)))], next_cursor: null };
    },
  );
}

function periodOf(asked: Omit<z.infer<typeof SimulateSchema>, 'policy'>): Period {
  const { since, until, tenant } = asked;
  return {
    ...(since === undefined ? {} : { since: Date.parse(since) }),
    ...(until === undefined ? {} : { until: Date.parse(until) }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}
