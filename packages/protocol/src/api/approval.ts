import { z } from 'zod';
import { RISKS } from '../action.ts';
import { ACTION_TYPES, API_ACTION_TYPES } from '../action-type.ts';
import { LAYERS, STRENGTHS } from '../verdict.ts';
import { TimestampSchema } from './common.ts';

export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'expired', 'cancelled'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** The fixed menu: 1 once, 2 session, 3 deny, 4 once + note, 5 modified, 6 always. */
export const DECISION_CODES = ['1', '2', '3', '4', '5', '6'] as const;
export type DecisionCode = (typeof DECISION_CODES)[number];

/** How a person may widen a standing answer on purpose; none of them is offered by a number. */
export const WIDER_SCOPES = ['reads-of-object', 'reads-of-host', 'operation-of-owner'] as const;
export type WiderScope = (typeof WIDER_SCOPES)[number];

export const PREVIEW_BYTES_AT_MOST = 1024 * 1024;
const NAMED_TYPES: ReadonlySet<string> = new Set([...API_ACTION_TYPES, ...ACTION_TYPES]);
const REGISTERED_TYPE = /^[a-z][a-z0-9_-]{0,63}:[a-z0-9][a-z0-9_.-]{0,63}$/;
const CUSTOM_TYPE = /^custom:[A-Za-z0-9][A-Za-z0-9_.:/-]{0,99}$/;

const ActionTypeSchema = z
  .string()
  .max(130)
  .refine((type) => isTypeOfEveryGateway(type) || REGISTERED_TYPE.test(type), {
    error:
      'expected `exec_cmd`, `http_request`, `write_file`, `send_message`, `custom:<name>` or an action type',
  })
  .describe(
    '`exec_cmd`, `http_request`, `write_file`, `send_message`, `custom:<name>`, an action type, or one that the config registers under `custom_types`',
  );

/** Whether clients may name a type without its being registered; any other one is of one gateway's `custom_types`. */
export function isTypeOfEveryGateway(type: string): boolean {
  return NAMED_TYPES.has(type) || CUSTOM_TYPE.test(type);
}

const identity = z.string().min(1).max(320);

/** Whom to ask, in the words of the channel. */
const TargetSchema = z
  .union([
    z.strictObject({ tg_chat_id: identity.describe('Telegram') }),
    z.strictObject({ email_to: identity.describe('email') }),
    z.strictObject({ identity: identity.describe('any other channel') }),
  ])
  .describe('a listed identity of somebody who may decide');

/** `POST /v1/approvals` */
export const NewApprovalSchema = z.strictObject({
  session_id: z.string().min(1).max(200).describe("the agent's run"),
  action_type: ActionTypeSchema,
  title: z.string().min(1).max(200),
  preview: z
    .string()
    .min(1)
    .refine((text) => new TextEncoder().encode(text).length <= PREVIEW_BYTES_AT_MOST, {
      error: 'longer than 1 MiB',
    }),
  channel: z.string().min(1).max(64).optional().describe("absent: every channel of the tenant's deciders"),
  target: TargetSchema.optional(),
  expires_in_sec: z.int().min(1).max(604_800).default(3_600),
});
export type NewApproval = z.input<typeof NewApprovalSchema>;

/** What a new approval is: waiting, or answered already by a standing allow. `expires_at` is Unix seconds. */
export const CreatedApprovalSchema = z.union([
  z.strictObject({
    approval_id: z.string(),
    status: z.literal('pending'),
    auto: z.literal(false),
    expires_at: z.int(),
  }),
  z.strictObject({
    approval_id: z.string(),
    status: z.literal('approved'),
    auto: z.literal(true),
    decision: z.strictObject({ code: z.enum(DECISION_CODES) }),
  }),
]);
export type CreatedApproval = z.infer<typeof CreatedApprovalSchema>;

const StateDecisionSchema = z.strictObject({
  code: z.enum(DECISION_CODES),
  note: z.string().nullable(),
  override: z.string().nullable(),
});
const about = { session_id: z.string(), action_type: z.string() };

/** `GET /v1/approvals/{approval_id}` as the client that asked sees it. */
export const ApprovalStateSchema = z.union([
  z.strictObject({
    status: z.literal('pending'),
    expires_at: z.int().nullable().describe('Unix seconds; null: no limit'),
  }),
  z.strictObject({ status: z.enum(['approved', 'denied']), decision: StateDecisionSchema, ...about }),
  z.strictObject({ status: z.literal('expired'), ...about }),
  z.strictObject({ status: z.literal('cancelled'), reason: z.string(), ...about }),
]);
export type ApprovalState = z.infer<typeof ApprovalStateSchema>;

/** `GET /v1/approvals/{id}` on the operator side: everything. */
export const ApprovalDetailSchema = z.strictObject({
  id: z.string(),
  approval_id: z.string().describe('the same as `id`, as the client that asks knows it'),
  tenant: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  created_at: TimestampSchema,
  expires_at: TimestampSchema.nullable(),
  title: z.string(),
  preview: z.string(),
  self_declared: z.boolean().describe('the asker chose the words'),
  door: z.string(),
  tool: z.string(),
  action_type: z.string(),
  effect: z.enum(['read', 'write']),
  risk: z.enum(RISKS),
  strength: z.enum(STRENGTHS),
  reason: z.strictObject({
    layer: z.enum(LAYERS),
    reason: z.string(),
    rule: z.string().nullable(),
    at: z.string().nullable(),
    also: z.array(z.string()).describe('what other layers ask about it; one answer is for all of them'),
  }),
  review: z
    .strictObject({
      risk: z.enum(RISKS),
      summary: z.string(),
      reasons: z.array(z.string()),
      model: z.string(),
    })
    .nullable()
    .describe('what the gatekeeper said; null: it was not asked, or gave no answer'),
  does: z
    .string()
    .nullable()
    .describe('operation and object, as tables name them; null: only the whole can be named'),
  covers: z.strictObject({
    session: z.string().nullable(),
    minutes: z.string().nullable(),
    always: z.string().nullable(),
  }),
  scopes: z
    .array(z.strictObject({ scope: z.enum(WIDER_SCOPES), covers: z.string() }))
    .describe('wider standing answers that a person may give on purpose, each in words'),
  user: z.string().nullable(),
  agent: z.string().nullable(),
  session: z.string().nullable(),
  client_id: z.string().nullable(),
  session_id: z.string().nullable().describe('as an API client calls its run'),
  credential: z.string().nullable(),
  action_id: z.string(),
  binding: z.string(),
  fingerprint: z.string(),
  policy_revision: z.string(),
  blocked: z.boolean().describe('a caller waits on an open connection'),
  quorum: z.int(),
  agreed: z.array(z.string()),
  deciders: z.array(z.string()).describe('people who may decide this now'),
  decision: StateDecisionSchema.extend({ minutes: z.int().nullable() }).nullable(),
  decided_by: z.string().nullable(),
  decided_via: z.string().nullable(),
  decided_at: TimestampSchema.nullable(),
  answered_by: z.string().nullable().describe('grant or rule that answered, or that the answer left'),
  cancel_reason: z.string().nullable(),
  channel: z.string().nullable().describe('where the asker wants it asked; null: on the default channels'),
  target: z.string().nullable().describe('chat id or address on that channel'),
  choices: z
    .array(z.strictObject({ code: z.enum(DECISION_CODES), text: z.string() }))
    .describe('the menu, the same for every question'),
  decision_code: z.enum(DECISION_CODES).nullable(),
  note: z.string().nullable(),
  override: z.string().nullable(),
  allow_rule_applied: z
    .string()
    .nullable()
    .describe('rule or grant that answered before anyone was asked; null: none did'),
});
export type ApprovalDetail = z.infer<typeof ApprovalDetailSchema>;

/** `POST /v1/approvals/{id}/decision` */
export const DecisionSchema = z.strictObject({
  code: z.string().max(16).describe('`1` to `6`, as in the menu'),
  text: z.string().max(PREVIEW_BYTES_AT_MOST).optional().describe('note of `4`, replacement of `5`'),
  minutes: z.int().min(1).max(1_440).optional().describe('with `1`: allow the same for that long'),
  binding: z.string().max(128).optional().describe('of the question as it was shown: refused if it changed'),
  scope: z.enum(WIDER_SCOPES).optional().describe('with a standing answer: wider than offered, on purpose'),
  always: z.boolean().optional().describe('with `3`: a standing no, until somebody revokes it'),
  again: z.boolean().optional().describe('with `1`, for a question whose caller left: allow it next time'),
});

export const DecisionOutcomeSchema = z.strictObject({
  outcome: z.enum(['decided', 'counted', 'kept']),
  missing: z.int().describe('how many more people must agree'),
  approval: ApprovalDetailSchema,
});
export type DecisionOutcomeWire = z.infer<typeof DecisionOutcomeSchema>;

/** `POST /v1/inbox/email-reply` */
export const InboxMailSchema = z.strictObject({
  from: z.string().min(1).max(1_000).optional(),
  subject: z.string().max(4_000),
  body: z.string().max(10 * 1024 * 1024),
  raw: z
    .string()
    .max(12 * 1024 * 1024)
    .optional()
    .describe('the whole message, for DKIM'),
});

export const InboxAnswerSchema = z.strictObject({
  outcome: z.enum(['decided', 'counted', 'kept', 'too-late', 'invalid', 'refused']),
});

/** A permanent allow of the approval API: client + action type. */
export const AllowRuleSchema = z.strictObject({
  rule_id: z.string(),
  client_id: z.string(),
  action_type: z.string(),
  enabled: z.boolean(),
  created_at: TimestampSchema,
});
export type AllowRule = z.infer<typeof AllowRuleSchema>;
