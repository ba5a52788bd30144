import { createReadStream } from 'node:fs';
import type { JsonlFile } from '../sinks/jsonl-files.ts';
import type { RowReader, StoredRow } from './row-reader.ts';
import type { BadEvent } from './trail-report.ts';

export interface FilesResult {
  /** number of the last event in the files */
  readonly last: number;
  readonly firstBad: BadEvent | undefined;
}

const LINE_FEED = 0x0a;

/**
 * Compares the files of one tenant with the database, byte for byte.
 *
 * Older files may have been moved away; from the first one that is there on, every event must be in one. An
 * unfinished last line is a write under way, not an event.
 */
export async function verifyFiles(reader: RowReader, files: readonly JsonlFile[]): Promise<FilesResult> {
  const [first] = files;
  if (first === undefined) return { last: 0, firstBad: undefined };
  const { tenant } = first;
  const stored = rowsOf(reader, tenant, first.firstSeq);
  let expected = first.firstSeq;
  for (const [index, file] of files.entries()) {
    const bad = (problem: string): FilesResult => ({
      last: expected - 1,
      firstBad: { seq: expected, where: file.name, problem },
    });
    if (file.firstSeq !== expected) return bad(`events ${expected} to ${file.firstSeq - 1} are in no file`);
    for await (const { bytes, finished } of linesOf(file)) {
      if (!finished) {
        if (index === files.length - 1) break;
        return bad('the file was cut off');
      }
      const row = (await stored.next()).value;
      if (row === undefined || row[0] !== expected) return bad('the database does not have this event');
      if (!(await isSame(reader, tenant, row, bytes)))
        return bad('the line differs from the event in the database');
      expected += 1;
    }
  }
  return { last: expected - 1, firstBad: undefined };
}

async function isSame(reader: RowReader, tenant: string, row: StoredRow, line: Buffer): Promise<boolean> {
  const json: unknown = row[6];
  if (typeof json !== 'string' || line.toString('utf8') !== json) return false;
  // As in the database, bytes that are no text may hide behind U+FFFD.
  return !json.includes('\ufffd') || line.equals(await reader.bytesAt(tenant, row[0]));
}

async function* rowsOf(
  reader: RowReader,
  tenant: string,
  from: number,
): AsyncGenerator<StoredRow, undefined> {
  for await (const rows of reader.rows(tenant, from, Number.MAX_SAFE_INTEGER)) yield* rows;
}

async function* linesOf(file: JsonlFile): AsyncGenerator<{ bytes: Buffer; finished: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file.path, { highWaterMark: 1_048_576 })) {
    // Without an encoding a file's stream gives buffers.
    const data = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    let start = 0;
    for (let end = data.indexOf(LINE_FEED); end !== -1; end = data.indexOf(LINE_FEED, start)) {
      yield { bytes: data.subarray(start, end), finished: true };
      start = end + 1;
    }
    rest = data.subarray(start);
  }
  if (rest.length > 0) yield { bytes: rest, finished: false };
}
