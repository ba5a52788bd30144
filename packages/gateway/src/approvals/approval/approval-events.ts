import type { EventActor, JsonObject, NewEvent } from '@sallyport/protocol';
import type { Approval } from './approval.ts';

/** What the trail says about a question. The preview is not in it: the approval itself is kept. */
export function requestedEvent(approval: Approval, again: boolean): NewEvent {
  const { door, tool, type, effect, risk, strength, quorum, blocked, credential } = approval;
  return {
    ...base(approval, asker(approval)),
    type: 'ApprovalEvent::Requested',
    data: {
      title: approval.title,
      door,
      tool,
      type,
      effect,
      risk,
      strength,
      quorum,
      blocked,
      self_declared: approval.selfDeclared,
      ...(credential === undefined ? {} : { credential }),
      ...(approval.does === undefined ? {} : { does: approval.does }),
      reason: { layer: approval.reason.layer, reason: approval.reason.reason },
      ...(approval.review === undefined ? {} : { reviewed: approval.review.risk }),
      ...listedIn(approval),
      binding: approval.binding,
      fingerprint: approval.fingerprint,
      policy: approval.policyRevision,
      expires_at: approval.expiresAt === undefined ? null : new Date(approval.expiresAt).toISOString(),
      ...(again ? { taken_over: true } : {}),
    },
  };
}

export function endedEvent(approval: Approval): NewEvent {
  const { status, decision, decidedBy, decidedVia } = approval;
  if (status === 'expired')
    return { ...base(approval, GATEWAY), type: 'ApprovalEvent::Expired', data: waited(approval) };
  if (status === 'cancelled') {
    const data = { ...waited(approval), reason: approval.cancelReason ?? 'withdrawn' };
    return { ...base(approval, GATEWAY), type: 'ApprovalEvent::Cancelled', data };
  }
  const { code, note, override, minutes, scope, always } = decision ?? { code: '3' };
  const person: EventActor =
    decidedVia === 'operator'
      ? { kind: 'operator', via: 'api' }
      : { kind: 'person', user: decidedBy ?? '', via: decidedVia ?? '' };
  return {
    ...base(approval, person),
    type: 'ApprovalEvent::Decided',
    data: {
      status,
      code,
      ...listedIn(approval),
      by: decidedBy ?? '',
      via: decidedVia ?? '',
      ...(minutes === undefined ? {} : { minutes }),
      ...(scope === undefined ? {} : { scope }),
      ...(always === undefined ? {} : { always }),
      ...(approval.agreed.length > 1 ? { agreed: [...approval.agreed] } : {}),
      noted: note !== undefined,
      changed: override !== undefined,
    },
    detail: {
      request: { ...(note === undefined ? {} : { note }), ...(override === undefined ? {} : { override }) },
    },
  };
}

/** One try to reach a person, after its retries. */
export function notifiedEvent(
  approval: Pick<Approval, 'id' | 'tenant' | 'actionId'>,
  data: JsonObject,
): NewEvent {
  return { ...base(approval, GATEWAY), type: 'ApprovalEvent::Notified', data };
}

/** An answer whose sender could not be proved. It decided nothing. */
export function refusedEvent(
  approval: Pick<Approval, 'id' | 'tenant' | 'actionId'>,
  data: { readonly channel: string; readonly identity: string; readonly reason: string },
): NewEvent {
  return { ...base(approval, GATEWAY), type: 'ApprovalEvent::AnswerRefused', data };
}

/** Each of several actions by its name. */
function listedIn({ listed }: Approval): JsonObject {
  return listed === undefined
    ? {}
    : { actions: listed.map(({ actionId, title }) => ({ action: actionId, title })) };
}

const GATEWAY: EventActor = { kind: 'gateway' };

function base(
  { tenant, actionId, id }: Pick<Approval, 'id' | 'tenant' | 'actionId'>,
  actor: EventActor,
): Pick<NewEvent, 'tenant' | 'actor' | 'action_id' | 'approval_id'> {
  return { tenant, actor, action_id: actionId, approval_id: id };
}

function asker({ actor, client }: Approval): EventActor {
  return client === undefined ? { kind: 'agent', ...actor } : { kind: 'client', client };
}

function waited({ createdAt, expiresAt }: Approval): JsonObject {
  return {
    asked_at: new Date(createdAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt).toISOString() }),
  };
}
