import {
  type ApprovalDetail,
  type ApprovalState,
  type CreatedApproval,
  type NewApproval,
  SallyportError,
  WIDER_SCOPES,
} from '@sallyport/protocol';
import { type Approval, MENU, mayBeChanged } from '../../approvals/index.ts';
import { timestamp } from '../../servers/index.ts';

/** The answer to `POST /v1/approvals`, the same however often it is sent with one key. */
export function toCreated(approval: Approval): CreatedApproval {
  const { id, decision, decidedVia } = approval;
  if (decidedVia === 'grant' && decision !== undefined)
    return { approval_id: id, status: 'approved', auto: true, decision: { code: decision.code } };
  return {
    approval_id: id,
    status: 'pending',
    auto: false,
    expires_at: unixSeconds(approval.expiresAt) ?? 0,
  };
}

/** What the client that asked sees. */
export function toState(approval: Approval): ApprovalState {
  const { status, decision } = approval;
  const about = {
    session_id: approval.sessionId ?? approval.actor.session ?? '',
    action_type: approval.type,
  };
  switch (status) {
    case 'pending':
      return { status, expires_at: unixSeconds(approval.expiresAt) };
    case 'expired':
      return { status, ...about };
    case 'cancelled':
      return { status, reason: approval.cancelReason ?? 'withdrawn', ...about };
    case 'approved':
    case 'denied':
      return {
        status,
        decision: {
          code: decision?.code ?? '3',
          note: decision?.note ?? null,
          override: decision?.override ?? null,
        },
        ...about,
      };
  }
}

/** Everything, for the operator. */
export function toDetail(approval: Approval, deciders: readonly string[]): ApprovalDetail {
  const { reason, covers, actor, decision } = approval;
  return {
    id: approval.id,
    approval_id: approval.id,
    tenant: approval.tenant,
    status: approval.status,
    created_at: timestamp(approval.createdAt),
    expires_at: approval.expiresAt === undefined ? null : timestamp(approval.expiresAt),
    title: approval.title,
    preview: approval.preview,
    self_declared: approval.selfDeclared,
    door: approval.door,
    tool: approval.tool,
    action_type: approval.type,
    effect: approval.effect,
    risk: approval.risk,
    strength: approval.strength,
    reason: {
      layer: reason.layer,
      reason: reason.reason,
      rule: reason.rule ?? null,
      at: reason.at === undefined ? null : `${reason.at.file}:${reason.at.line}:${reason.at.column}`,
      also: (reason.also ?? []).map(({ layer, reason: why }) => `${why} (layer ${layer})`),
    },
    review:
      approval.review === undefined ? null : { ...approval.review, reasons: [...approval.review.reasons] },
    does: approval.does ?? null,
    covers: {
      session: covers.session ?? null,
      minutes: covers.minutes ?? null,
      always: covers.always ?? null,
    },
    scopes: WIDER_SCOPES.flatMap((scope) => {
      const offer = approval.wider?.[scope];
      return offer === undefined ? [] : [{ scope, covers: offer.words }];
    }),
    user: actor.user ?? null,
    agent: actor.agent ?? null,
    session: actor.session ?? null,
    client_id: approval.client ?? actor.client ?? null,
    session_id: approval.sessionId ?? null,
    credential: approval.credential ?? null,
    action_id: approval.actionId,
    binding: approval.binding,
    fingerprint: approval.fingerprint,
    policy_revision: approval.policyRevision,
    blocked: approval.blocked,
    quorum: approval.quorum,
    agreed: [...approval.agreed],
    deciders: [...deciders],
    decision:
      decision === undefined
        ? null
        : {
            code: decision.code,
            note: decision.note ?? null,
            override: decision.override ?? null,
            minutes: decision.minutes ?? null,
          },
    decided_by: approval.decidedBy ?? null,
    decided_via: approval.decidedVia ?? null,
    decided_at: approval.decidedAt === undefined ? null : timestamp(approval.decidedAt),
    answered_by: approval.answeredBy ?? null,
    cancel_reason: approval.cancelReason ?? null,
    channel: approval.to?.channel ?? null,
    target: approval.to?.target ?? null,
    choices: MENU.filter(({ code }) => code !== '5' || mayBeChanged(approval)).map(({ code, text }) => ({
      code,
      text,
    })),
    decision_code: decision?.code ?? null,
    note: decision?.note ?? null,
    override: decision?.override ?? null,
    allow_rule_applied: approval.decidedVia === 'grant' ? (approval.answeredBy ?? null) : null,
  };
}

/** The channel and identity that a request names; undefined when it names none. `Unprocessable` for half of it. */
export function namedTarget({
  channel,
  target,
}: Pick<NewApproval, 'channel' | 'target'>):
  | { readonly channel: string; readonly target: string }
  | undefined {
  if (channel === undefined && target === undefined) return undefined;
  if (target === undefined)
    throw unprocessable('`channel` needs a `target`', 'name one, or leave both out for the default channels');
  const [own, identity] =
    'tg_chat_id' in target
      ? ['telegram', target.tg_chat_id]
      : 'email_to' in target
        ? ['email', target.email_to]
        : [channel, target.identity];
  if (own === undefined || identity === undefined || (channel ?? own) !== own)
    throw unprocessable(
      '`target` does not belong to that `channel`',
      '`tg_chat_id` is for telegram, `email_to` for email',
    );
  return { channel: own, target: identity };
}

export function unprocessable(message: string, hint: string): SallyportError {
  return new SallyportError('Unprocessable', { message, hint });
}

function unixSeconds(ms: number | undefined): number | null {
  // Rounded up: whoever asks at this second is told that it has expired.
  return ms === undefined ? null : Math.ceil(ms / 1000);
}
