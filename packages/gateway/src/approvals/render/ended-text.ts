import { assertNever } from '../../shared/assert-never.ts';
import type { Approval } from '../approval/approval.ts';
import { utcTime } from './question-view.ts';
import { oneLine } from './visible.ts';

/** How a question ended, in one line: the first thing a person sees in an edited message. */
export function describeEnd(approval: Approval): string {
  switch (approval.status) {
    case 'pending':
      return 'Waiting for an answer.';
    case 'approved':
      return `✅ Allowed${how(approval)}${byWhom(approval)}`;
    case 'denied':
      return `⛔ Denied${approval.decision?.always === true ? ', and refused from now on without a question' : ''}${byWhom(approval)}`;
    case 'expired':
      return '⌛ Timed out: nobody answered in time, so it did not happen.';
    case 'cancelled':
      return `🚫 Cancelled: ${whyCancelled(approval.cancelReason)}`;
    default:
      return assertNever(approval.status);
  }
}

function how({ decision }: Approval): string {
  if (decision === undefined) return '';
  if (decision.minutes !== undefined) return ` for ${decision.minutes} min${wider(decision.scope)}`;
  switch (decision.code) {
    case '1':
      return ' once';
    case '2':
      return ` for this session${wider(decision.scope)}`;
    case '3':
      return '';
    case '4':
      return ` once, with the note \`${oneLine(decision.note ?? '')}\``;
    case '5':
      return ` once, changed to \`${oneLine(decision.override ?? '')}\``;
    case '6':
      return ` always, until revoked${wider(decision.scope)}`;
    default:
      return assertNever(decision.code);
  }
}

function wider(scope: string | undefined): string {
  return scope === undefined ? '' : `, ${scope}`;
}

function byWhom({ decidedBy, decidedVia, decidedAt, answeredBy }: Approval): string {
  if (decidedBy === undefined) return answeredBy === undefined ? '.' : `, by \`${oneLine(answeredBy)}\`.`;
  const via = decidedVia === undefined ? '' : ` by ${oneLine(decidedVia)}`;
  const at = decidedAt === undefined ? '' : `, ${utcTime(decidedAt)}`;
  return ` (${oneLine(decidedBy)}${via}${at})`;
}

function whyCancelled(reason: string | undefined): string {
  switch (reason) {
    case 'caller-left':
      return 'the caller stopped waiting, so it did not happen.';
    case 'restart':
      return 'the gateway was restarted, so it did not happen.';
    case 'session-ended':
      return 'the session ended, so it did not happen.';
    case 'channel-closed':
      return 'the gateway does not hear answers here any more. The question waits elsewhere.';
    case 'withdrawn':
      return 'the asker withdrew the question.';
    // open: a reason that a caller wrote
    default:
      return `${oneLine(reason ?? 'no reason was given')}.`;
  }
}
