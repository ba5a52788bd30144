import { expect, test } from 'vitest';
import type { PendingEvent } from '../chain/event-line.ts';
import { entryOf, FRAME_HEAD, nextNumber, readSegment, sealFrame, writeEntry } from './journal-frame.ts';

function event(n: number): PendingEvent {
  return {
    tenant: 'default',
    id: `evt_${n}`,
    at: 1_700_000_000_000 + n,
    type: 'ActionEvent::Judged',
    actionId: n % 2 === 0 ? null : `act_${n}`,
    approvalId: null,
    tail: `{"kind":"agent"},"data":{"n":${n},"text":"ünï\\ncödé 🚪"}}`,
  };
}

function frame(number: number, ...events: PendingEvent[]): Buffer {
  const entries = events.map(entryOf);
  const room = Buffer.alloc(FRAME_HEAD + entries.reduce((sum, { bytesAtMost }) => sum + bytesAtMost, 0));
  const end = entries.reduce((at, entry) => writeEntry(room, at, entry), FRAME_HEAD);
  const bytes = room.subarray(0, end);
  sealFrame(bytes, number);
  return bytes;
}

const PADDING = Buffer.alloc(64);

test('what was written is read, frame after frame', () => {
  const segment = Buffer.concat([frame(7, event(1), event(2)), frame(8, event(3)), PADDING]);
  expect(readSegment(segment)).toEqual([event(1), event(2), event(3)]);
  expect(readSegment(PADDING)).toEqual([]);
  expect(readSegment(Buffer.alloc(0))).toEqual([]);
});

test('columns come back as they were, whatever they hold', () => {
  const odd = { ...event(1), tenant: 'a "b"\n\\c ü', actionId: 'act,"1"', approvalId: 'apr_1' };
  expect(readSegment(Buffer.concat([frame(1, odd, event(2)), PADDING]))).toEqual([odd, event(2)]);
});

test('a frame that was cut off at any byte is not read, and what stands before it is', () => {
  const first = frame(1, event(1));
  const second = frame(2, event(2), event(3));
  for (let cut = 0; cut < second.length; cut += 1) {
    const torn = Buffer.concat([first, second.subarray(0, cut), Buffer.alloc(second.length - cut + 64)]);
    expect(readSegment(torn)).toEqual([event(1)]);
  }
});

test('a frame with any byte changed is not read', () => {
  const whole = frame(1, event(1));
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at);
    expect(readSegment(Buffer.concat([changed, PADDING]))).toEqual([]);
  }
});

test('an older frame behind the last one is not read', () => {
  const segment = Buffer.concat([frame(9, event(9)), frame(3, event(3)), frame(4, event(4))]);
  expect(readSegment(segment)).toEqual([event(9)]);
});

test('numbers go on after the largest', () => {
  const last = 0xffff_ffff;
  expect(nextNumber(last)).toBe(0);
  expect(readSegment(Buffer.concat([frame(last, event(1)), frame(0, event(2))]))).toHaveLength(2);
});
