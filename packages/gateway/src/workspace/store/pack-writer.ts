import { createHash, hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { renameDurably } from './durable-file.ts';

/** Files up to this size are read at once. */
const PIECE_BYTES = 1024 * 1024;
const BUFFER_BYTES = 4 * PIECE_BYTES;
export const PACK_MAGIC = 'SPPACK1\n';
/** digest, where it begins, how long it is */
export const INDEX_ROW_BYTES = 32 + 8 + 8;
/** where the index begins, digest of the index, magic */
export const TRAILER_BYTES = 8 + 32 + PACK_MAGIC.length;

/** What can be read piece by piece: how many bytes came, 0 at the end. */
export interface Source {
  read(room: Uint8Array, position: number): number;
}

/**
 * Contents of one snapshot that no earlier one has, one after the other in one file, with an index at its end. It has its
 * name only when all of it is on the disk: a pack that was cut off is none.
 */
export class PackWriter {
  readonly #path: string;
  readonly #has: (hash: string) => boolean;
  readonly #rows = new Map<string, { readonly at: number; readonly bytes: number }>();
  readonly #piece = Buffer.allocUnsafe(PIECE_BYTES);
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #fd: number | undefined;
  /** bytes in the buffer */
  #held = 0;
  /** bytes in the file */
  #written = 0;

  /** `has`: what earlier packs hold, and is not written again. */
  constructor(path: string, has: (hash: string) => boolean) {
    this.#path = path;
    this.#has = has;
  }

  /** Reads a file to its end, and holds its bytes unless they are held already. */
  add(file: Source): { readonly hash: string; readonly size: number } {
    const first = file.read(this.#piece, 0);
    if (first === 0 || (first < PIECE_BYTES && file.read(this.#piece.subarray(first), first) === 0)) {
      const bytes = this.#piece.subarray(0, first);
      const digest = hash('sha256', bytes, 'hex');
      if (!this.#isHeld(digest)) {
        this.#rows.set(digest, { at: this.#written + this.#held, bytes: first });
        this.#append(bytes);
      }
      return { hash: digest, size: first };
    }
    return this.#addLarge(file);
  }

  /** Gives the pack its name; whether there is one: without new contents there is none. */
  finish(): boolean {
    if (this.#rows.size === 0) {
      this.abandon();
      return false;
    }
    const end = this.#written + this.#held;
    const rows = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1));
    const index = Buffer.alloc(rows.length * INDEX_ROW_BYTES);
    rows.forEach(([digest, { at, bytes }], row) => {
      index.write(digest, row * INDEX_ROW_BYTES, 'hex');
      index.writeBigUInt64LE(BigInt(at), row * INDEX_ROW_BYTES + 32);
      index.writeBigUInt64LE(BigInt(bytes), row * INDEX_ROW_BYTES + 40);
    });
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeBigUInt64LE(BigInt(end), 0);
    hash('sha256', index, 'buffer').copy(trailer, 8);
    trailer.write(PACK_MAGIC, 40, 'latin1');
    this.#append(index);
    this.#append(trailer);
    this.#flush();
    const fd = this.#file();
    fsyncSync(fd);
    closeSync(fd);
    this.#fd = undefined;
    renameDurably(this.#temporary, this.#path);
    return true;
  }

  abandon(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    rmSync(this.#temporary, { force: true });
  }

  get #temporary(): string {
    return `${this.#path}.tmp`;
  }

  #isHeld(digest: string): boolean {
    return this.#rows.has(digest) || this.#has(digest);
  }

  #addLarge(file: Source): { readonly hash: string; readonly size: number } {
    this.#flush();
    const start = this.#written;
    const digest = createHash('sha256');
    let size = 0;
    for (;;) {
      const got = file.read(this.#piece, size);
      if (got === 0) break;
      const bytes = this.#piece.subarray(0, got);
      digest.update(bytes);
      this.#write(bytes);
      size += got;
    }
    const name = digest.digest('hex');
    // Held already: the next content is written over it.
    if (this.#isHeld(name)) this.#written = start;
    else this.#rows.set(name, { at: start, bytes: size });
    return { hash: name, size };
  }

  #append(bytes: Uint8Array): void {
    if (this.#held + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) this.#write(bytes);
    else {
      this.#buffer.set(bytes, this.#held);
      this.#held += bytes.length;
    }
  }

  #flush(): void {
    const { length } = this.#buffer.subarray(0, this.#held);
    this.#held = 0;
    this.#write(this.#buffer.subarray(0, length));
  }

  #write(bytes: Uint8Array): void {
    const fd = this.#file();
    for (let at = 0; at < bytes.length; ) {
      const wrote = writeSync(fd, bytes, at, bytes.length - at, this.#written);
      at += wrote;
      this.#written += wrote;
    }
  }

  #file(): number {
    if (this.#fd === undefined) {
      rmSync(this.#temporary, { force: true });
      this.#fd = openSync(this.#temporary, 'wx', 0o600);
    }
    return this.#fd;
  }
}
