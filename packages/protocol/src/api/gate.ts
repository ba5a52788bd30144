import { z } from 'zod';
import { CONFINEMENTS } from '../action.ts';
import { LAYERS, STRENGTHS } from '../verdict.ts';
import { NameSchema, TimestampSchema } from './common.ts';

const PositionSchema = z.strictObject({ file: z.string(), line: z.int(), column: z.int() });

/** `POST /v1/explain`: what would the gate say? */
export const ExplainQuestionSchema = z.strictObject({
  form: z.enum(['tool', 'http', 'cli']).default('tool'),
  text: z.string().min(1).max(65_536).describe('`Bash(git push)`, `POST https://…`, or `aws s3 ls`'),
  tenant: NameSchema.optional(),
  agent: NameSchema.optional(),
  user: NameSchema.optional(),
  confinement: z.enum(CONFINEMENTS).optional(),
  cwd: z.string().startsWith('/').max(4096).optional(),
  credential: NameSchema.optional(),
  repositories: z
    .array(z.string().max(512))
    .max(32)
    .optional()
    .describe(
      'what the git remotes of the workspace name: `github.com/acme/app`; those of `cwd` when absent',
    ),
});
export type ExplainQuestion = z.infer<typeof ExplainQuestionSchema>;

const ExplainedLayerSchema = z.strictObject({
  layer: z.enum(LAYERS),
  says: z.enum(['nothing', 'allow', 'ask', 'deny']),
  strength: z.enum(STRENGTHS).optional(),
  violation: z.string().optional(),
  rule: z.string().optional(),
  at: PositionSchema.optional(),
  reason: z.string().optional(),
});

export const ExplanationSchema = z.strictObject({
  outcome: z.enum(['allow', 'ask', 'deny']),
  strength: z.enum(STRENGTHS).optional(),
  violation: z.string().optional(),
  reason: z.string(),
  layers: z.array(ExplainedLayerSchema),
  grants: z
    .array(z.strictObject({ id: z.string(), covers: z.string() }))
    .describe('live grants that would answer'),
  change: z.array(z.string()).describe('what to change to get another answer'),
  models: z.array(z.string()).describe('what models may say after the policy, beside people'),
  action: z.strictObject({
    tool: z.string(),
    type: z.string(),
    effect: z.enum(['read', 'write']),
    reach: z.enum(['workspace', 'host', 'remote']),
    risk: z.string(),
    does: z.string().nullable().describe('operation and object; null: only the whole can be named'),
    agent: z.string(),
    about: z.string().optional().describe('what the config says that the agent is for'),
    confinement: z.enum(CONFINEMENTS),
  }),
});
export type ExplanationWire = z.infer<typeof ExplanationSchema>;

/** `GET /v1/rules`: every rule in force, in the order in which it is judged. */
export const RuleSchema = z.strictObject({
  list: z.string().describe('`permissions`, `tenants.default.permissions`, `agents.dev.permissions`'),
  order: z.int(),
  rule: z.string(),
  at: PositionSchema.optional(),
});
export type RuleWire = z.infer<typeof RuleSchema>;

/** A standing answer as the operator sees it. */
export const GrantSchema = z.strictObject({
  id: z.string(),
  tenant: z.string(),
  agent: z.string().nullable(),
  client: z.string().nullable(),
  covers: z.string().describe('in words'),
  cover: z.record(z.string(), z.unknown()),
  answer: z.enum(['yes', 'no']).describe('`no`: what it covers is refused, and nobody is asked'),
  scope: z.enum(['once', 'session', 'minutes', 'always']),
  session: z.string().nullable(),
  expires_at: TimestampSchema.nullable(),
  created_at: TimestampSchema,
  created_by: z.string(),
  approval_id: z.string().nullable(),
  uses: z.int(),
  ended_at: TimestampSchema.nullable(),
  end_reason: z.string().nullable(),
  instead: z
    .string()
    .nullable()
    .describe('of one that an upgrade ended for being too wide: what to give in its place'),
});
export type GrantWire = z.infer<typeof GrantSchema>;

/** `POST /v1/simulate`: judge what the trail holds again, under another config. */
export const SimulateSchema = z.strictObject({
  policy: z.string().min(1).max(4096).describe('absolute path of the config to try'),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  tenant: NameSchema.optional(),
});

export const SimulationSchema = z.strictObject({
  judged: z.int(),
  differ: z.int(),
  skipped: z.int(),
  differences: z.array(
    z.strictObject({
      event: z.string(),
      at: z.string(),
      action_id: z.string(),
      agent: z.string(),
      tool: z.string(),
      what: z.string(),
      was: z.string(),
      would_be: z.string(),
      reason: z.string(),
    }),
  ),
  truncated: z.boolean().describe('there were more differences than are listed'),
});
export type SimulationWire = z.infer<typeof SimulationSchema>;

/** How often people were asked, and what they said. */
export const StatsSchema = z.strictObject({
  actions: z.int().describe('decisions of the gate'),
  questions: z.int().describe('questions that people were asked'),
  per_100: z.number().describe('questions for each hundred actions'),
  standing: z.int().describe('actions that a standing answer allowed'),
  answers: z.strictObject({ yes: z.int(), no: z.int(), expired: z.int(), left: z.int() }),
  median_answer_seconds: z.number().nullable(),
  by_reason: z.array(
    z.strictObject({ layer: z.string(), reason: z.string(), questions: z.int(), example: z.string() }),
  ),
  always_yes: z
    .array(z.strictObject({ what: z.string(), agent: z.string(), questions: z.int() }))
    .describe('asked more than once, and never refused'),
  truncated: z.boolean().describe('there were more kinds of questions than are counted'),
});
export type StatsWire = z.infer<typeof StatsSchema>;

/** A setting that would have answered questions that people always allowed. */
export const SuggestionSchema = z.strictObject({
  id: z.string(),
  file: z.string().describe('the config file that it would be written to'),
  diff: z.array(z.string()).describe('the lines that would be added or changed, with `+` and `-`'),
  removes: z.int().describe('questions of the time that was looked at which it would have answered'),
  examples: z.array(z.string()),
  also_allows: z
    .array(z.strictObject({ what: z.string(), times: z.int() }))
    .describe('what else was recorded that it would have allowed'),
  also_count: z.int(),
});
export type SuggestionWire = z.infer<typeof SuggestionSchema>;

export const ApplySuggestionsSchema = z.strictObject({
  ids: z.array(z.string().min(1).max(64)).min(1).max(20),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  tenant: NameSchema.optional(),
});
