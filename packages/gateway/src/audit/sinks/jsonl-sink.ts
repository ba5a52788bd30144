import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedLine } from '../feed/feed.ts';
import type { AuditSink } from './audit-sink.ts';
import { type JsonlFile, jsonlFileName, listJsonlFiles } from './jsonl-files.ts';

export interface JsonlSinkOptions {
  readonly folder: string;
  /** a file that is larger gets a successor, in `bytes` */
  readonly rotateBytes?: number;
}

/** as the config's own default, in `bytes` */
const ROTATE_BYTES = 100 * 1_048_576;
const TAIL_BYTES = 64 * 1_024;
const LINE_FEED = 0x0a;

interface OpenFile {
  readonly handle: FileHandle;
  size: number;
}

/** Files with the bytes of the database rows, one for each tenant, rotated by size, readable by the owner only. */
export class JsonlSink implements AuditSink {
  readonly id = 'sinks.jsonl';
  readonly resume = 'own';
  readonly #folder: string;
  readonly #rotateBytes: number;
  readonly #open = new Map<string, OpenFile>();

  constructor({ folder, rotateBytes = ROTATE_BYTES }: JsonlSinkOptions) {
    this.#folder = folder;
    this.#rotateBytes = rotateBytes;
  }

  /** Reads the place from the files themselves. Cuts off a last line that a crash left unfinished. */
  async positions(): Promise<ReadonlyMap<string, number>> {
    const positions = new Map<string, number>();
    for (const [tenant, files] of await listJsonlFiles(this.#folder)) {
      const newest = files.at(-1);
      if (newest !== undefined) positions.set(tenant, await this.#resumeFile(tenant, newest));
    }
    return positions;
  }

  async write(lines: readonly FeedLine[]): Promise<void> {
    for (const [tenant, own] of Map.groupBy(lines, (line) => line.tenant)) {
      await this.#writeTenant(tenant, own);
    }
  }

  async close(): Promise<void> {
    const files = [...this.#open.values()];
    this.#open.clear();
    for (const { handle } of files) await handle.close();
  }

  async #writeTenant(tenant: string, lines: readonly FeedLine[]): Promise<void> {
    const [first] = lines;
    if (first === undefined) return;
    const file = await this.#fileFor(tenant, first.seq);
    const bytes = Buffer.from(lines.map((line) => `${line.json}\n`).join(''));
    try {
      await writeAll(file.handle, bytes, file.size);
      file.size += bytes.length;
    } catch (error) {
      // Half a batch must not stay: the same lines come again.
      await file.handle.truncate(file.size).catch(() => {});
      throw error;
    }
  }

  async #fileFor(tenant: string, seq: number): Promise<OpenFile> {
    const current = this.#open.get(tenant);
    if (current !== undefined && current.size < this.#rotateBytes) return current;
    if (current !== undefined) {
      this.#open.delete(tenant);
      await current.handle.close();
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return this.#openFile(tenant, join(this.#folder, jsonlFileName(tenant, seq)), 'wx+');
  }

  async #openFile(tenant: string, path: string, flags: string): Promise<OpenFile> {
    const handle = await open(path, flags, 0o600);
    await handle.chmod(0o600);
    const file = { handle, size: (await handle.stat()).size };
    this.#open.set(tenant, file);
    return file;
  }

  async #resumeFile(tenant: string, newest: JsonlFile): Promise<number> {
    const file = await this.#openFile(tenant, newest.path, 'r+');
    const { end, line } = await lastLine(file.handle, file.size);
    if (end < file.size) await file.handle.truncate(end);
    file.size = end;
    if (line === undefined) return newest.firstSeq - 1;
    const event: unknown = JSON.parse(line);
    const seq =
      typeof event === 'object' && event !== null && 'seq' in event ? Number(event.seq) : Number.NaN;
    if (!Number.isSafeInteger(seq)) throw new Error(`the last line of \`${newest.name}\` is not an event`);
    return seq;
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** The last finished line of a file, and where it ends. */
async function lastLine(
  handle: FileHandle,
  size: number,
): Promise<{ end: number; line: string | undefined }> {
  for (let length = TAIL_BYTES; ; length *= 2) {
    const start = Math.max(0, size - length);
    const tail = Buffer.alloc(size - start);
    await handle.read(tail, 0, tail.length, start);
    const end = tail.lastIndexOf(LINE_FEED);
    const before = end > 0 ? tail.lastIndexOf(LINE_FEED, end - 1) : -1;
    if (end >= 0 && (before >= 0 || start === 0)) {
      return { end: start + end + 1, line: tail.subarray(before + 1, end).toString('utf8') };
    }
    if (start === 0) return { end: 0, line: undefined };
  }
}
