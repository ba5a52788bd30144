import type { Action, ErrorCode, Judgement, Opinion, Verdict } from '@sallyport/protocol';
import type { Approval } from '../../approvals/index.ts';

export type Refusal = Verdict & { readonly kind: 'deny' };

export function refusal(violation: ErrorCode, reason: string, opinions: readonly Opinion[]): Refusal {
  return { kind: 'deny', violation, reason, opinions };
}

export function noPolicy(action: Action): Refusal {
  return refusal('NotPermitted', `there is no tenant \`${action.actor.tenant}\``, []);
}

/** What the layers refused, with the rule that did. */
export function denied(judgement: Judgement & { readonly outcome: 'deny' }): Refusal {
  const { opinions, violation, layer, reason } = judgement;
  const rule = opinions.find((opinion) => opinion.says === 'deny' && 'rule' in opinion);
  const decided = opinions.at(-1);
  return {
    kind: 'deny',
    violation,
    layer,
    ...(rule !== undefined && 'rule' in rule && rule.rule !== undefined ? { rule: rule.rule } : {}),
    reason,
    ...(decided?.says === 'deny' && decided.hint !== undefined ? { hint: decided.hint } : {}),
    opinions,
  };
}

/** How a question ended without a yes. A timeout is never told as a person's no. */
export function refusedBy(approval: Approval, opinions: readonly Opinion[]): Refusal {
  const { id, status, decidedBy, decision, cancelReason } = approval;
  if (status === 'denied')
    return {
      ...refusal('ApprovalDenied', `\`${decidedBy ?? 'a person'}\` said no`, opinions),
      approval: id,
      ...(decision?.note === undefined ? {} : { note: decision.note }),
    };
  if (status === 'expired')
    return { ...refusal('ApprovalTimeout', 'nobody answered in time', opinions), approval: id };
  const why = CANCELLED[cancelReason ?? ''] ?? 'the question was withdrawn';
  return { ...refusal('ApprovalCancelled', why, opinions), approval: id };
}

const CANCELLED: Readonly<Record<string, string>> = {
  'caller-left': 'the caller left',
  restart: 'the gateway was restarted while people were asked',
  'session-ended': 'the session ended while people were asked',
};

/** Allowed by the policy, a review or a person, with what the person said. */
export function allowedBy(
  by: 'policy' | 'review' | 'person',
  consent: Approval | undefined,
  changed: Action | undefined,
  opinions: readonly Opinion[],
): Verdict {
  const { note, override } = consent?.decision ?? {};
  return {
    kind: 'allow',
    by,
    ...(consent === undefined ? {} : { approval: consent.id }),
    ...(note === undefined ? {} : { note }),
    ...(override === undefined ? {} : { override }),
    ...(changed === undefined ? {} : { action: changed }),
    opinions,
  };
}

/** The verdict on a read that is allowed need not be durable before the answer. */
export function mayLag(verdict: Verdict, { effect }: Action): boolean {
  return verdict.kind === 'allow' && effect === 'read';
}

/** SECURITY: what cannot be recorded does not happen. */
export function unrecorded({ opinions }: Verdict): Refusal {
  return refusal('AuditUnavailable', 'the trail cannot be written', opinions);
}
