import type { JsonObject, NewEvent } from '@sallyport/protocol';
import type { HeldNote } from './audit-trail.ts';
import type { LineHead, PendingEvent } from './chain/event-line.ts';
import type { KeptEntry } from './journal/journal.ts';
import type { LateEvent } from './writer/group-committer.ts';

export interface HeldEventParts {
  /** `more`: data that takes the place of the event's own */
  tailOf(event: NewEvent, more: JsonObject | undefined): string;
  note(event: NewEvent): void;
  /** a tail that was written before, with more data; undefined when it must be written anew */
  extend(written: WrittenTail, event: NewEvent, more: JsonObject): string | undefined;
}

/** How an event was written at first, and by what knowledge of secrets. */
export interface WrittenTail {
  readonly tail: string;
  readonly revision: number;
}

/** What became of an event before it was held. */
export interface HeldOptions {
  readonly mayYield: boolean;
  /** it is on disk already, by itself */
  readonly kept?: { readonly written: WrittenTail; readonly entry: KeptEntry };
}

/** An event that waits for how it ended, as long as its batch is not due. */
export class HeldEvent implements HeldNote, LateEvent {
  readonly mayYield: boolean;
  readonly #parts: HeldEventParts;
  readonly #head: LineHead;
  readonly #event: NewEvent;
  readonly #kept: HeldOptions['kept'];
  #also: JsonObject[] | undefined;
  #outcome: NewEvent | undefined;
  #isClosed = false;

  constructor(parts: HeldEventParts, head: LineHead, event: NewEvent, { mayYield, kept }: HeldOptions) {
    this.#parts = parts;
    this.#head = head;
    this.#event = event;
    this.mayYield = mayYield;
    this.#kept = kept;
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
    return { tenant, id, at, type: this.#outcome?.type ?? type, actionId, approvalId, tail: this.#tail() };
  }

  stored(): void {
    this.#kept?.entry.release();
  }

  #tail(): string {
    const event = this.#event;
    const outcome = this.#outcome;
    const detail = outcome?.detail;
    const whole = detail === undefined ? event : { ...event, detail: { ...event.detail, ...detail } };
    // What is no verdict keeps its own name beside that of the outcome.
    if (outcome !== undefined && event.type !== 'ActionEvent::Judged') {
      const also = [{ type: event.type, ...event.data }, ...(this.#also ?? [])];
      return this.#parts.tailOf({ ...whole, data: outcome.data }, { also });
    }
    const more = this.#also === undefined ? outcome?.data : { ...outcome?.data, also: this.#also };
    return (detail === undefined ? this.#extended(more) : undefined) ?? this.#parts.tailOf(whole, more);
  }

  #extended(more: JsonObject | undefined): string | undefined {
    const written = this.#kept?.written;
    if (written === undefined) return undefined;
    return this.#parts.extend(written, this.#event, more ?? {});
  }
}
