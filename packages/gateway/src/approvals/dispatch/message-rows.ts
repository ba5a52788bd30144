import { newId } from '../../shared/ids.ts';
import type { ApprovalMessageRow } from '../../store/index.ts';
import type { Approval } from '../approval/approval.ts';
import { shownAs } from '../approval/question-key.ts';
import type { DeliveryRef } from '../channels/channel.ts';

/** What is kept of a message that a channel accepted. */
export function messageRow(
  approval: Approval,
  { channel, recipient, ref }: DeliveryRef,
  place: string,
  now: number,
): ApprovalMessageRow {
  return {
    id: newId('msg', now),
    approval_id: approval.id,
    tenant: approval.tenant,
    channel,
    user_name: recipient.user,
    identity: recipient.identity,
    ref: JSON.stringify({ ...ref, [PLACE]: place }),
    shown: shownAs(approval),
    sent_at: now,
  };
}

/** Not the name of anything that a channel keeps in its reference. */
const PLACE = '@place';

/** Where it was sent from; undefined for one of an older version. */
export function placeOf({ ref }: ApprovalMessageRow): unknown {
  // Written by `messageRow` only.
  return (JSON.parse(ref) as DeliveryRef['ref'])[PLACE];
}

export function toRef({ channel, user_name: user, identity, ref }: ApprovalMessageRow): DeliveryRef {
  // Written by `messageRow` only.
  return { channel, recipient: { user, identity }, ref: JSON.parse(ref) as DeliveryRef['ref'] };
}
