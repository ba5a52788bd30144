import { hash } from 'node:crypto';

/** `prev` of the first event of a chain. */
export const GENESIS = '0'.repeat(64);

const PLAIN = /^[\w:.-]*$/;

/** An event that waits for its number: everything but `seq`, already redacted. */
export interface PendingEvent {
  readonly tenant: string;
  readonly id: string;
  /** ms since epoch */
  readonly at: number;
  readonly type: string;
  readonly actionId: string | null;
  readonly approvalId: string | null;
  /** `…,"data":…}`: how the line goes on after `"actor":` */
  readonly tail: string;
}

/** The columns that stand at the head of a line, besides the number. */
export type LineHead = Omit<PendingEvent, 'tail'>;

/**
 * How the line of an event starts, exactly, given its columns.
 *
 * The head holds every column in a fixed order, so that one comparison of text shows a column that was changed.
 * It ends with the key that follows the columns: without it a column that was emptied would not show.
 */
export function lineHead(head: LineHead, seq: number): string {
  const action = head.actionId === null ? '' : `,"action_id":${quote(head.actionId)}`;
  const approval = head.approvalId === null ? '' : `,"approval_id":${quote(head.approvalId)}`;
  const tenant = quote(head.tenant);
  const type = quote(head.type);
  return `{"id":${quote(head.id)},"seq":${seq},"at":"${isoTime(head.at)}","tenant":${tenant},"type":${type}${action}${approval},"actor":`;
}

/** Much faster than `JSON.stringify`, and the same for what ids, types and names of tenants consist of. */
export function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** The bytes of an event under its number. */
export function eventLine(event: PendingEvent, seq: number): string {
  return lineHead(event, seq) + event.tail;
}

/** sha256(prev ‖ json), hex. */
export function linkHash(prev: string, json: string | Uint8Array): string {
  return typeof json === 'string'
    ? hash('sha256', prev + json)
    : hash('sha256', Buffer.concat([Buffer.from(prev), json]));
}

let cachedSecond = Number.NaN;
let cachedText = '';

/** ISO 8601 in UTC with milliseconds; the second is remembered, since events come in bursts. */
export function isoTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== cachedSecond) {
    cachedText = new Date(second * 1000).toISOString().slice(0, -4);
    cachedSecond = second;
  }
  const rest = ms - second * 1000;
  return `${cachedText}${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`;
}
