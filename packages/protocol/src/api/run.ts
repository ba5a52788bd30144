import { z } from 'zod';
import { CONFINEMENTS } from '../action.ts';
import { NameSchema, TimestampSchema } from './common.ts';
import { RunChangesSchema } from './undo.ts';

/** `POST /v1/runs` on the operator side: a session that lives as long as the answer is read. */
export const NewRunSchema = z.strictObject({
  tenant: NameSchema.default('default'),
  user: NameSchema.optional().describe("defaults to the tenant's `default_user`"),
  agent: NameSchema.optional().describe("defaults to the tenant's default agent"),
  confinement: z.enum(CONFINEMENTS).default('jailed'),
  client: z
    .string()
    .max(64)
    .optional()
    .describe('program that runs, by its name: `claude`; says which model login it needs'),
  workspace: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      'folder that the agent works in: it is held as it is before the answer comes, and exceptions for repositories hold for its git remotes',
    ),
  forward: z
    .array(z.int().min(1).max(65_535))
    .max(16)
    .default([])
    .describe('ports of this machine that a jailed run may ask to reach'),
});
export type NewRun = z.input<typeof NewRunSchema>;

/** First line of the answer: everything that the run needs, and nothing secret in a jail. */
export const StartedRunSchema = z.strictObject({
  kind: z.literal('started'),
  session_id: z.string(),
  tenant: z.string(),
  user: z.string(),
  agent: z.string(),
  confinement: z.enum(CONFINEMENTS),
  sockets: z
    .strictObject({
      proxy: z.string(),
      api: z.string(),
      forward: z.array(z.strictObject({ port: z.int(), path: z.string() })),
    })
    .nullable()
    .describe('unix sockets whose connections belong to the session; null for an unconfined run'),
  session_token: z.string().nullable().describe('for an unconfined run only'),
  ports: z
    .strictObject({ proxy: z.int(), api: z.int() })
    .describe('where the agent finds proxy and API: in its jail, or on this machine'),
  ca_file: z.string().describe('certificate authority of the proxy, PEM'),
  env: z
    .record(z.string(), z.string())
    .describe("variables that stand for the session's credentials, with placeholders as values"),
  login: z
    .enum(['lent', 'missing', 'none'])
    .describe('whether the model login of the client is lent; none: the client needs no login that is known'),
  login_token: z
    .string()
    .nullable()
    .describe('placeholder of the subscription login of the client, for clients that read it from a file'),
  asks: z
    .array(z.string())
    .describe('channels that questions go to besides the terminal: `telegram`, `mail`'),
  tip: z.string().nullable().describe('what to do about a login that is missing'),
  snapshot: z.string().nullable().describe('what the workspace can be put back to'),
  snapshot_problem: z.string().nullable().describe('why there is none, if there should be one'),
});
export type StartedRun = z.infer<typeof StartedRunSchema>;

/** Later lines: a sign of life, a question of this run that waits and its end, and the end of the run. */
export const RunLineSchema = z.discriminatedUnion('kind', [
  StartedRunSchema,
  z.strictObject({ kind: z.literal('beat') }),
  z.strictObject({ kind: z.literal('asked'), approval: z.string(), title: z.string() }),
  z.strictObject({ kind: z.literal('settled'), approval: z.string(), how: z.string() }),
  z.strictObject({ kind: z.literal('ended'), reason: z.string() }),
]);
export type RunLine = z.infer<typeof RunLineSchema>;

/** What a jailed agent wrote where it would run later, as the person, and what became of it. */
export const TakenBackSchema = z.strictObject({
  path: z.string().max(4096).describe('below the workspace where it lies there'),
  why: z.string().max(400).describe('what did not belong there'),
  kept: z.string().max(4096).nullable().describe('copy of what the agent wrote'),
  times: z.int().describe('how often it was put back'),
});
export type TakenBackWire = z.infer<typeof TakenBackSchema>;

/** `POST /v1/runs/ID/end`: said by whoever has seen the end of the agent. */
export const RunEndSchema = z.strictObject({
  exit_code: z.int().min(0).max(255).optional().describe('of the agent, for the trail'),
  summary: z.boolean().default(true).describe('false: null, as soon as all of it is over'),
  taken_back: z.array(TakenBackSchema).max(200).default([]).describe('for the trail and the summary'),
});
export type RunEnd = z.input<typeof RunEndSchema>;

/** A question that a run asked, and what would have answered it. */
const AskedSchema = z.strictObject({
  what: z.string().describe('for people: `POST https://api.example.com/…`'),
  times: z.int(),
  outcome: z.enum(['approved', 'denied', 'unanswered']),
  approval: z.string().nullable(),
});

/** What a run did, from the trail. */
export const RunSummarySchema = z.strictObject({
  session_id: z.string(),
  agent: z.string(),
  confinement: z.enum(CONFINEMENTS),
  started_at: TimestampSchema,
  ended_at: TimestampSchema.nullable(),
  end_reason: z.string().nullable(),
  calls: z.int().describe('actions that were judged'),
  reads: z.int().describe('of those that were allowed'),
  writes: z.int().describe('of those that were allowed'),
  asked: z.int().describe('actions that people were asked about'),
  approved: z.int(),
  denied: z.int().describe('by people, or for want of an answer'),
  refused: z.int().describe('by the policy'),
  hosts: z.array(z.strictObject({ host: z.string(), reads: z.int(), writes: z.int(), refused: z.int() })),
  questions: z.array(AskedSchema),
  suggestions: z.array(
    z.strictObject({
      setting: z.enum(['network.rules', 'exceptions']).describe('where the line belongs'),
      line: z.string().describe('a line of YAML'),
      avoids: z.int().describe('questions of this run that it would have avoided'),
    }),
  ),
  complete: z.boolean().describe('false: the run did more than is looked at here'),
  taken_back: z.array(TakenBackSchema).describe('what the agent planted and does not run; empty later on'),
  changes: RunChangesSchema.nullable().describe('of its workspace; null: not held, or not looked at now'),
});
export type RunSummary = z.infer<typeof RunSummarySchema>;
