import type { NewEvent } from '@sallyport/protocol';
import type { HeldNote } from './audit-trail.ts';
import type { LineHead, PendingEvent } from './chain/event-line.ts';
import type { LateEvent } from './writer/group-committer.ts';

export interface HeldEventParts {
  tailOf(event: NewEvent): string;
  note(event: NewEvent): void;
}

/** An event that waits for how it ended, as long as its batch is not due. */
export class HeldEvent implements HeldNote, LateEvent {
  readonly #parts: HeldEventParts;
  readonly #head: LineHead;
  readonly #event: NewEvent;
  #outcome: NewEvent | undefined;
  #isClosed = false;

  constructor(parts: HeldEventParts, head: LineHead, event: NewEvent) {
    this.#parts = parts;
    this.#head = head;
    this.#event = event;
  }

  get isOpen(): boolean {
    return this.#outcome === undefined;
  }

  settle(outcome: NewEvent): void {
    const { tenant, action_id } = this.#event;
    const isSame = outcome.tenant === tenant && outcome.action_id === action_id;
    // INVARIANT: each of the two is written once, together or apart [TR-4].
    if (this.#isClosed || this.#outcome !== undefined || !isSame) this.#parts.note(outcome);
    else this.#outcome = outcome;
  }

  close(): PendingEvent {
    this.#isClosed = true;
    const event = this.#event;
    const outcome = this.#outcome;
    const { tenant, id, at, type, actionId, approvalId } = this.#head;
    const tail = this.#parts.tailOf(outcome === undefined ? event : joined(event, outcome));
    return { tenant, id, at, type: outcome?.type ?? type, actionId, approvalId, tail };
  }
}

function joined(event: NewEvent, outcome: NewEvent): NewEvent {
  return {
    ...event,
    type: outcome.type,
    data: { ...event.data, ...outcome.data },
    ...(outcome.detail === undefined ? {} : { detail: { ...event.detail, ...outcome.detail } }),
  };
}
