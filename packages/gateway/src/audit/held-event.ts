import type { JsonObject, NewEvent } from '@sallyport/protocol';
import type { HeldNote } from './audit-trail.ts';
import type { LineHead, PendingEvent } from './chain/event-line.ts';
import type { LateEvent } from './writer/group-committer.ts';

export interface HeldEventParts {
  tailOf(event: NewEvent): string;
  note(event: NewEvent): void;
}

/** An event that waits for how it ended, as long as its batch is not due. */
export class HeldEvent implements HeldNote, LateEvent {
  readonly mayYield: boolean;
  readonly #parts: HeldEventParts;
  readonly #head: LineHead;
  readonly #event: NewEvent;
  #also: JsonObject[] | undefined;
  #outcome: NewEvent | undefined;
  #isClosed = false;

  constructor(parts: HeldEventParts, head: LineHead, event: NewEvent, mayYield: boolean) {
    this.#parts = parts;
    this.#head = head;
    this.#event = event;
    this.mayYield = mayYield;
  }

  get isOpen(): boolean {
    return this.#outcome === undefined;
  }

  add(event: NewEvent): void {
    // INVARIANT: whatever is added is written once, together or apart [TR-4].
    if (!this.#takes(event)) {
      this.#parts.note(event);
      return;
    }
    this.#also ??= [];
    this.#also.push({ type: event.type, ...event.data });
  }

  settle(outcome: NewEvent): void {
    // INVARIANT: each of the two is written once, together or apart [TR-4].
    if (this.#takes(outcome)) this.#outcome = outcome;
    else this.#parts.note(outcome);
  }

  #takes({ tenant, action_id }: NewEvent): boolean {
    if (this.#isClosed || this.#outcome !== undefined) return false;
    return tenant === this.#event.tenant && action_id === this.#event.action_id;
  }

  close(): PendingEvent {
    this.#isClosed = true;
    const { tenant, id, at, type, actionId, approvalId } = this.#head;
    const tail = this.#parts.tailOf(this.#whole());
    return { tenant, id, at, type: this.#outcome?.type ?? type, actionId, approvalId, tail };
  }

  #whole(): NewEvent {
    const event = this.#event;
    const outcome = this.#outcome;
    if (outcome === undefined && this.#also === undefined) return event;
    const isVerdict = event.type === 'ActionEvent::Judged';
    const also = this.#also ?? [];
    // What is no verdict keeps its own name beside that of the outcome.
    if (outcome !== undefined && !isVerdict) also.unshift({ type: event.type, ...event.data });
    const own = outcome === undefined || isVerdict ? event.data : undefined;
    return {
      ...event,
      type: outcome?.type ?? event.type,
      data: { ...own, ...outcome?.data, ...(also.length === 0 ? {} : { also }) },
      ...(outcome?.detail === undefined ? {} : { detail: { ...event.detail, ...outcome.detail } }),
    };
  }
}
