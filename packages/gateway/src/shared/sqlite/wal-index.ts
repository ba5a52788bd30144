import { readSync } from 'node:fs';

// https://www.sqlite.org/walformat.html: the head of `-shm`, in the byte order of the machine (all that we run on have the
// small end first), and the head of a frame in `-wal`, big end first.
const INDEX_BYTES = 136;
const HEAD_BYTES = 48;
const LOG_HEAD = 32;
const FRAME_HEAD = 24;

/** What `-shm` says about the log: every program that uses SQLite keeps it up to date. */
export interface WalIndex {
  /** other ones each time the log is begun anew */
  readonly salts: bigint;
  /** how many frames were committed */
  readonly frames: number;
  /** of the last of them and all before it */
  readonly checksum: string;
  /** in a frame */
  readonly pageBytes: number;
  /** how many frames are in the database too, … */
  readonly copied: number;
  /** … and how many somebody is copying, or was when they died */
  readonly copying: number;
}

const index = Buffer.alloc(INDEX_BYTES);
const frame = Buffer.alloc(FRAME_HEAD);

/** Undefined while somebody writes it: the two copies of its head differ. */
export function readWalIndex(shm: number): WalIndex | undefined {
  if (readSync(shm, index, 0, INDEX_BYTES, 0) < INDEX_BYTES) return undefined;
  if (index.compare(index, HEAD_BYTES, 2 * HEAD_BYTES, 0, HEAD_BYTES) !== 0) return undefined;
  const pageBytes = index.readUInt16LE(14);
  return {
    salts: index.readBigUInt64LE(32),
    frames: index.readUInt32LE(16),
    checksum: `${index.readUInt32LE(24)} ${index.readUInt32LE(28)}`,
    pageBytes: pageBytes === 1 ? 65_536 : pageBytes,
    copied: index.readUInt32LE(96),
    copying: index.readUInt32LE(128),
  };
}

/** Whether the last frame that an index knows of is in the log, which has so many bytes, as it was written. */
export function hasLastFrame(
  wal: number,
  logBytes: number,
  { salts, frames, checksum, pageBytes }: WalIndex,
): boolean {
  if (frames === 0) return true;
  const end = LOG_HEAD + frames * (FRAME_HEAD + pageBytes);
  if (logBytes < end) return false;
  readSync(wal, frame, 0, FRAME_HEAD, end - pageBytes - FRAME_HEAD);
  return (
    frame.readBigUInt64LE(8) === salts && `${frame.readUInt32BE(16)} ${frame.readUInt32BE(20)}` === checksum
  );
}

export function isSameIndex(a: WalIndex, b: WalIndex): boolean {
  return a.frames === b.frames && a.checksum === b.checksum && isSameCopy(a, b);
}

/** Whether nothing was copied into the database between the two. */
export function isSameCopy(a: WalIndex, b: WalIndex): boolean {
  return a.salts === b.salts && a.copied === b.copied && a.copying === b.copying;
}
