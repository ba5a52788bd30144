import type { ApprovalRow } from '../../store/index.ts';
import type { Approval, ApprovalStatus, Decision, Question } from './approval.ts';

/** A new, pending one. */
export function newRow(id: string, owner: string, question: Question, now: number): ApprovalRow {
  return {
    id,
    tenant: question.tenant,
    owner,
    status: 'pending',
    settled: 1,
    blocked: question.blocked ? 1 : 0,
    client: question.client ?? null,
    session: question.actor.session ?? null,
    fingerprint: question.fingerprint,
    binding: question.binding,
    action_id: question.actionId,
    question: JSON.stringify(question),
    created_at: now,
    expires_at: question.expiresInMs === undefined ? null : now + question.expiresInMs,
    agreed: '[]',
    decision: null,
    decided_by: null,
    decided_via: null,
    decided_at: null,
    answered_by: null,
    cancel_reason: null,
    ended_at: null,
  };
}

function isDue({ expires_at: until }: ApprovalRow, now: number): boolean {
  return until !== null && until <= now;
}

/** As it ended, also where that is not in the trail yet. */
export function toEnded(row: ApprovalRow): Approval {
  return {
    // Written by `newRow` only; a row that somebody broke throws, and then nothing is decided by it.
    ...(JSON.parse(row.question) as Question),
    expiresInMs: row.expires_at === null ? undefined : row.expires_at - row.created_at,
    id: row.id,
    status: row.status as ApprovalStatus,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    ...(row.decision === null ? {} : { decision: JSON.parse(row.decision) as Decision }),
    ...(row.decided_by === null ? {} : { decidedBy: row.decided_by }),
    ...(row.decided_via === null ? {} : { decidedVia: row.decided_via }),
    ...(row.decided_at === null ? {} : { decidedAt: row.decided_at }),
    agreed: JSON.parse(row.agreed) as readonly string[],
    ...(row.answered_by === null ? {} : { answeredBy: row.answered_by }),
    ...(row.cancel_reason === null ? {} : { cancelReason: row.cancel_reason }),
  };
}

/**
 * As everybody may see it at `now`.
 *
 * SECURITY: an answer that is not in the trail yet is no answer: it can still be taken back [TR-5]. Time is: from
 * `expires_at` on nothing can answer a question any more, whether a sweep has been here or not.
 */
export function toApproval(row: ApprovalRow, now: number): Approval {
  if (row.status === 'pending' && isDue(row, now)) return toEnded({ ...row, status: 'expired' });
  if (row.settled === 1 || row.status === 'expired') return toEnded(row);
  return toEnded({
    ...row,
    status: 'pending',
    decision: null,
    decided_by: null,
    decided_via: null,
    decided_at: null,
    cancel_reason: null,
  });
}
