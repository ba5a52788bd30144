import { SallyportError } from '@sallyport/protocol';
import { eventLine, GENESIS, linkHash, type PendingEvent } from './event-line.ts';

/** Where a chain ends: the last event's number and hash. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** A row of `events`, in the order of its columns. */
export type EventRow = readonly [
  tenant: string,
  seq: number,
  id: string,
  at: number,
  type: string,
  actionId: string | null,
  approvalId: string | null,
  json: string,
  prev: string,
  hash: string,
];

export const EMPTY_HEAD: Head = { seq: 0, hash: GENESIS };

/** Rows for a batch, each linked to the one before, and where the chains end afterwards. Changes `heads`. */
export function linkBatch(events: readonly PendingEvent[], heads: Map<string, Head>): EventRow[] {
  const rows: EventRow[] = [];
  for (const event of events) {
    const head = heads.get(event.tenant) ?? EMPTY_HEAD;
    const seq = head.seq + 1;
    const json = eventLine(event, seq);
    const hash = linkHash(head.hash, json);
    rows.push([
      event.tenant,
      seq,
      event.id,
      event.at,
      event.type,
      event.actionId,
      event.approvalId,
      json,
      head.hash,
      hash,
    ]);
    heads.set(event.tenant, { seq, hash });
  }
  return rows;
}

/**
 * For a walk through the database that does not get ahead: a damaged index can lead in a circle, and whoever damaged
 * it would have stopped the gateway with it.
 */
export function damagedStore(): SallyportError {
  return new SallyportError('StoreUnusable', {
    message: 'the database is damaged: its events are not in order',
    hint: 'run `sallyport audit verify`, and restore the database from a backup',
  });
}
