import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import type { PendingEvent } from '../chain/event-line.ts';
import type { ChainWriter } from '../writer/chain-writer.ts';
import { FRAME_HEAD, readSegment } from './journal-frame.ts';

/** Half of the file: a quarter of a second of the most that one gateway takes, and the chain is 50 ms behind at most. */
export const SEGMENT_BYTES = 2 * 1024 * 1024;
export const SEGMENT_STARTS = [0, SEGMENT_BYTES] as const;

export const FILE_BYTES = SEGMENT_BYTES * SEGMENT_STARTS.length;
const EMPTY_SEGMENT = Buffer.alloc(SEGMENT_BYTES);
/** A segment that starts with this holds nothing. */
export const EMPTY_HEAD_BYTES: Uint8Array = EMPTY_SEGMENT.subarray(0, FRAME_HEAD);

/** What a gateway that ended without a word has left, in the order in which it happened. Some may be in the chain. */
export async function readJournal(file: string): Promise<readonly PendingEvent[]> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw unusable(file, error);
  }
  try {
    const bytes = await handle.readFile();
    const events = SEGMENT_STARTS.flatMap((start) =>
      readSegment(bytes.subarray(start, start + SEGMENT_BYTES)),
    );
    // Ids grow with time, and one half of the file may be older than the other.
    return events.sort((a, b) => (a.id < b.id ? -1 : 1));
  } catch (error) {
    throw unusable(file, error);
  } finally {
    await handle.close();
  }
}

/** Makes the file, or marks what it holds as done with. */
export async function wipeJournal(file: string): Promise<void> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    const isWhole = (await handle.stat()).size === FILE_BYTES;
    // Every byte is written once: what is only set aside, some file systems look for when it is used.
    for (const start of SEGMENT_STARTS)
      await handle.write(isWhole ? EMPTY_HEAD_BYTES : EMPTY_SEGMENT, { position: start });
    if (!isWhole) await handle.truncate(FILE_BYTES);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(file));
}

/** A file whose name is not on disk is not there after a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function unusable(file: string, cause: unknown): SallyportError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SallyportError('StoreUnusable', {
    message: `\`${file}\`, which may hold the last events of the trail, cannot be read: ${why}`,
    hint: 'make it readable for the user that runs the gateway; without it the trail might miss what was done last',
    cause,
  });
}

/**
 * Puts into the chain what a gateway that was killed had on disk and not in there yet [TR-1].
 *
 * Throws when that cannot be done: a gateway that went on without it would have a trail with a hole.
 */
export async function storeLeftBehind(journalFile: string, writer: ChainWriter): Promise<void> {
  const left = await readJournal(journalFile);
  if (left.length === 0) return;
  try {
    // INVARIANT: those that are there already are not stored again [TR-4].
    await writer.commit(left, true);
  } catch (error) {
    throw new SallyportError('AuditUnavailable', { cause: error });
  }
  await wipeJournal(journalFile);
}
