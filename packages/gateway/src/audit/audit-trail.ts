import type { AuditLevel, NewEvent } from '@sallyport/protocol';

/**
 * The trail as the rest of the gateway sees it.
 *
 * Contract:
 * - `append` resolves once the event is durable, and rejects with `AuditUnavailable` when it cannot be:
 *   the caller must then refuse what it was about to do.
 * - `note` is for reads of allowed actions: it returns at once and the event is durable within 50 ms. When
 *   the queue is full it throws `AuditUnavailable`.
 * - `hold` is `note` for what is about to end: an outcome that comes before the event is on its way to disk is
 *   written with it, as one event of the outcome's type with the data of both; one that comes later, as its own.
 *   Whoever holds one promises nothing: without an outcome, and when the gateway stops, the event is written alone.
 * - `keep` is `append` for what is about to end, and `hold` for what must be on disk before it is done: it resolves once the
 *   event is durable, in the chain or in a file beside it from which the next start puts it there. In the second case there
 *   is a note to tell the outcome to, and the event is in the chain within 50 ms.
 * - Events of one tenant are numbered in the order of the calls, but for those that were kept, or held with `mayYield`:
 *   other events that cannot wait go before them.
 * - Redaction happens inside: callers hand over facts, never rely on being careful.
 */
export interface AuditTrail {
  /** how much is kept now; whoever would have to do something for a detail that is not kept leaves it. Absent: `metadata` */
  readonly level?: AuditLevel;
  append(event: NewEvent): Promise<{ readonly id: string; readonly seq: number }>;
  note(event: NewEvent): void;
  /** both absent where every event is to be seen by itself */
  keep?(event: NewEvent): Promise<HeldNote | undefined>;
  hold?(event: NewEvent, options?: { readonly mayYield: boolean }): HeldNote;
}

/** An event that may still be told how it ended. */
export interface HeldNote {
  /**
   * What happened on the way: listed under `also` with its type while the event can be added to, and otherwise an event
   * of its own. Throws `AuditUnavailable` when it cannot be taken.
   */
  add(event: NewEvent): void;
  /** Once. Throws `AuditUnavailable` when the outcome cannot be taken; the event itself is safe then. */
  settle(outcome: NewEvent): void;
}
