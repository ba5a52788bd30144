import type { Checkpoint } from '../chain/checkpoint.ts';
import type { PendingEvent } from '../chain/event-line.ts';
import type { StoredHead } from './stored-heads.ts';

/** What the thread is started with. */
export interface WriterThreadOptions {
  readonly file: string;
  readonly keyFile: string;
  /** by threads before this one */
  readonly stored: readonly StoredHead[];
}

type Field = string | number | null;

const FIELDS = 7;

/** Events as one list: a list of objects would cost the names of their fields for each of them. */
export function flatten(events: readonly PendingEvent[]): readonly Field[] {
  const fields = new Array<Field>(events.length * FIELDS);
  let at = 0;
  for (const { tenant, id, at: moment, type, actionId, approvalId, tail } of events) {
    fields[at++] = tenant;
    fields[at++] = id;
    fields[at++] = moment;
    fields[at++] = type;
    fields[at++] = actionId;
    fields[at++] = approvalId;
    fields[at++] = tail;
  }
  return fields;
}

export function unflatten(fields: readonly Field[]): readonly PendingEvent[] {
  const events: PendingEvent[] = [];
  const optional = (at: number): string | null => {
    const value = fields[at] ?? null;
    return value === null ? null : String(value);
  };
  for (let at = 0; at < fields.length; at += FIELDS) {
    events.push({
      tenant: String(fields[at]),
      id: String(fields[at + 1]),
      at: Number(fields[at + 2]),
      type: String(fields[at + 3]),
      actionId: optional(at + 4),
      approvalId: optional(at + 5),
      tail: String(fields[at + 6]),
    });
  }
  return events;
}

/** What the gateway asks of the writer thread. One at a time. */
export type WriterRequest =
  | { readonly kind: 'commit'; readonly fields: readonly Field[]; readonly again: boolean }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'close' };

/** What the thread answers. */
export type WriterReply =
  | {
      readonly kind: 'committed';
      readonly seqs: readonly number[];
      readonly checkpoints: readonly Checkpoint[];
      /** where the chains end that it moved */
      readonly stored: readonly StoredHead[];
    }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'closed' };
