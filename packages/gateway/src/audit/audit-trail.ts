import type { NewEvent } from '@sallyport/protocol';

/**
 * The trail as the rest of the gateway sees it.
 *
 * Contract:
 * - `append` resolves once the event is durable, and rejects with `AuditUnavailable` when it cannot be:
 *   the caller must then refuse what it was about to do.
 * - `note` is for reads of allowed actions: it returns at once and the event is durable within 50 ms. When
 *   the queue is full it throws `AuditUnavailable`.
 * - Events of one tenant are numbered in the order of the calls.
 * - Redaction happens inside: callers hand over facts, never rely on being careful.
 */
export interface AuditTrail {
  append(event: NewEvent): Promise<{ readonly id: string; readonly seq: number }>;
  note(event: NewEvent): void;
}
