import { crc32 } from 'node:zlib';
import { type PendingEvent, quote } from '../chain/event-line.ts';

/** Bytes before what a frame holds: mark, checksum, number, length. */
export const FRAME_HEAD = 16;

const MARK = 0x314a5053;

/** No character is longer in UTF-8. In bytes for each UTF-16 unit */
const BYTES_PER_UNIT = 3;
const LINE_FEED = 0x0a;

/** An event as text: its columns on one line, its tail on the next. JSON holds no line feed of its own. */
export interface Entry {
  readonly columns: string;
  readonly tail: string;
  readonly bytesAtMost: number;
}

export function entryOf({ tenant, id, at, type, actionId, approvalId, tail }: PendingEvent): Entry {
  const action = actionId === null ? 'null' : quote(actionId);
  const approval = approvalId === null ? 'null' : quote(approvalId);
  const columns = `[${quote(tenant)},${quote(id)},${at},${quote(type)},${action},${approval}]\n`;
  return { columns, tail, bytesAtMost: (columns.length + tail.length + 1) * BYTES_PER_UNIT };
}

/** Returns where the next one goes. */
export function writeEntry(frame: Buffer, at: number, { columns, tail }: Entry): number {
  const afterColumns = at + frame.write(columns, at);
  // By itself: the engine then puts its many pieces together where they are, once for all who read it.
  const afterTail = afterColumns + frame.write(tail, afterColumns);
  return frame.writeUInt8(LINE_FEED, afterTail);
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
  // The checksum was right: these are the bytes that `writeEntry` wrote.
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
