import { crc32 } from 'node:zlib';
import { type PendingEvent, quote } from '../chain/event-line.ts';

/** Bytes before what a frame holds: mark, checksum, number, length. */
export const FRAME_HEAD = 16;

const MARK = 0x314a5053;

/** The columns of an event on a line of their own. Its tail is on the next: JSON holds no line feed of its own. */
export function columnsLine({ tenant, id, at, type, actionId, approvalId }: PendingEvent): string {
  const action = actionId === null ? 'null' : quote(actionId);
  const approval = approvalId === null ? 'null' : quote(approvalId);
  return `[${quote(tenant)},${quote(id)},${at},${quote(type)},${action},${approval}]\n`;
}

/** Puts the head before the text that stands in `frame` already. The checksum is over all that comes after it. */
export function sealFrame(frame: Buffer, number: number): void {
  frame.writeUInt32LE(MARK, 0);
  frame.writeUInt32LE(number, 8);
  frame.writeUInt32LE(frame.length - FRAME_HEAD, 12);
  frame.writeUInt32LE(crc32(frame.subarray(8)), 4);
}

/** The number that follows. */
export function nextNumber(number: number): number {
  return (number + 1) >>> 0;
}

/**
 * The events of one segment, as far as its frames are whole and follow one another.
 *
 * A frame that was being written when the process ended is not whole; nobody was told that it is on disk. What lies
 * behind the last frame is older, and does not have the next number.
 */
export function readSegment(segment: Buffer): readonly PendingEvent[] {
  const events: PendingEvent[] = [];
  let expected: number | undefined;
  for (let at = 0; at + FRAME_HEAD <= segment.length; ) {
    const length = segment.readUInt32LE(at + 12);
    const number = segment.readUInt32LE(at + 8);
    const end = at + FRAME_HEAD + length;
    if (segment.readUInt32LE(at) !== MARK || length === 0 || end > segment.length) break;
    if (expected !== undefined && number !== expected) break;
    if (crc32(segment.subarray(at + 8, end)) !== segment.readUInt32LE(at + 4)) break;
    const lines = segment.toString('utf8', at + FRAME_HEAD, end).split('\n');
    for (let line = 0; line + 1 < lines.length; line += 2)
      events.push(parseEntry(lines[line] ?? '', lines[line + 1] ?? ''));
    expected = nextNumber(number);
    at = end;
  }
  return events;
}

function parseEntry(columns: string, tail: string): PendingEvent {
  // The checksum was right: these are the bytes that `columnsLine` made.
  const [tenant, id, at, type, actionId, approvalId] = JSON.parse(columns) as [
    string,
    string,
    number,
    string,
    string | null,
    string | null,
  ];
  return { tenant, id, at, type, actionId, approvalId, tail };
}
