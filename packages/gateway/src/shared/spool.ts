import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';

const PIECE = 65_536;
/** All bodies that wait together may have so many times what one may have. */
const TOGETHER = 4;

/** Bodies on disk while people are asked: in one folder of the gateway's own, with bounds for each and for all. */
export class Spools {
  readonly #folder: string;
  /** bytes of all of them: one session must not fill the disk for all */
  #held = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `most`: bytes that it may have. Throws `Unavailable` when the disk does not take it. */
  async open(most: number): Promise<Spool> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const path = join(this.#folder, randomUUID());
      const file = await open(path, 'wx+', 0o600);
      // The name goes at once: whatever happens to this process, the bytes go with it.
      await unlink(path);
      return new Spool(file, most, (bytes) => this.#count(bytes, most * TOGETHER));
    } catch (error) {
      throw noRoom(error);
    }
  }

  #count(bytes: number, most: number): void {
    if (bytes > 0 && this.#held + bytes > most) throw noRoom(new Error('too many bodies wait'));
    this.#held += bytes;
  }
}

/** One body: readable by nobody else, without a name, gone with its last use. */
export class Spool {
  readonly #file: FileHandle;
  readonly #most: number;
  readonly #count: (bytes: number) => void;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #isClosed = false;

  /** `count`: is told what it takes and gives back; throws when there is no room. */
  constructor(file: FileHandle, most: number, count: (bytes: number) => void) {
    this.#file = file;
    this.#most = most;
    this.#count = count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws `PayloadTooLarge` beyond the bound, `Unavailable` when the disk does not take it. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#bytes + chunk.length > this.#most) {
      throw new SallyportError('PayloadTooLarge', {
        message: `people must be asked, and a body that waits for them may have ${this.#most} bytes`,
        hint: 'send it in parts, or ask the operator for a rule that needs no question',
      });
    }
    this.#count(chunk.length);
    this.#bytes += chunk.length;
    try {
      await this.#file.writev([chunk]);
    } catch (error) {
      throw noRoom(error);
    }
    this.#hash.update(chunk);
  }

  /** Digest of everything; nothing may be written after. */
  digest(): string {
    return this.#hash.digest('hex');
  }

  /** The bytes from `position` on; empty at the end. */
  async read(position: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(PIECE), 0, PIECE, position);
    return buffer.subarray(0, bytesRead);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#count(-this.#bytes);
    await this.#file.close();
  }
}

function noRoom(cause: unknown): SallyportError {
  return new SallyportError('Unavailable', {
    message: 'the body could not be kept while people are asked',
    hint: 'the operator must free disk space',
    cause,
  });
}
