import type { Approval } from '../approval/approval.ts';
import type { Channel, DeliveryRef } from '../channels/channel.ts';

/** Messages that are remembered because they could not be told; the oldest are given up first. */
const OWED_AT_MOST = 1_000;

interface Owed {
  readonly place: string;
  readonly ref: DeliveryRef;
  readonly approvalId: string;
}

/**
 * What messages of a closed channel are told: that nobody hears an answer to them.
 *
 * One that could not be told, because its service was slow or gone, is told when a channel of the same place opens
 * again: the question is asked anew there, and must not stand there twice.
 */
export class ClosingNotes {
  #owed: Owed[] = [];

  async say(channel: Channel, ref: DeliveryRef, approval: Approval, signal: AbortSignal): Promise<void> {
    try {
      await channel.update(ref, asClosed(approval), signal);
    } catch {
      this.owe(channel.place, ref, approval.id);
    }
  }

  owe(place: string, ref: DeliveryRef, approvalId: string): void {
    this.#owed.push({ place, ref, approvalId });
    if (this.#owed.length > OWED_AT_MOST) this.#owed.shift();
  }

  /** Those of a place that is open now. They are owed no longer: whoever takes them tells them. */
  take(place: string): readonly Omit<Owed, 'place'>[] {
    const mine = this.#owed.filter((owed) => owed.place === place);
    if (mine.length > 0) this.#owed = this.#owed.filter((owed) => owed.place !== place);
    return mine;
  }
}

/** How a message shows a question that is open, but can be answered somewhere else only. */
export function asClosed(approval: Approval): Approval {
  return approval.status === 'pending'
    ? { ...approval, status: 'cancelled', cancelReason: 'channel-closed' }
    : approval;
}
