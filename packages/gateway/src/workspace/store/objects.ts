import { createHash, hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import type { HeldFile } from '../tree/held-folder.ts';
import { INDEX_ROW_BYTES, PACK_MAGIC, PackWriter, type Source, TRAILER_BYTES } from './pack-writer.ts';

const PIECE_BYTES = 1024 * 1024;
const PACK = /^[0-9a-z_]+\.pack$/;

interface Place {
  readonly pack: string;
  readonly at: number;
  readonly bytes: number;
}

/** Contents by their digest, in the packs of one workspace. Nothing that was written is ever changed. */
export class Objects {
  readonly #folder: string;
  /** of each pack its rows, in the order of their digests */
  readonly #indexes = new Map<string, Buffer>();

  constructor(folder: string) {
    this.#folder = folder;
    for (const name of readdirSync(folder)) {
      if (PACK.test(name)) this.#open(name);
      // Of a snapshot that was cut off.
      else if (name.endsWith('.tmp')) rmSync(join(folder, name), { force: true });
    }
  }

  get packs(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** of all contents */
  get bytes(): number {
    let bytes = 0;
    for (const pack of this.#indexes.keys()) for (const one of this.contentsOf(pack)) bytes += one.bytes;
    return bytes;
  }

  has(digest: string): boolean {
    return this.#find(digest) !== undefined;
  }

  /** A pack for what is new, or in no pack but `except`; `opened` makes its contents known. */
  writer(id: string, except?: string): PackWriter {
    const has = (digest: string): boolean => this.#find(digest, except) !== undefined;
    return new PackWriter(join(this.#folder, `${id}.pack`), has);
  }

  opened(id: string): void {
    this.#open(`${id}.pack`);
  }

  /** Digests in one pack, and how many bytes each has. */
  *contentsOf(pack: string): Generator<{ readonly hash: string; readonly bytes: number }> {
    const index = this.#indexes.get(pack) ?? Buffer.alloc(0);
    for (let at = 0; at < index.length; at += INDEX_ROW_BYTES)
      yield { hash: index.toString('hex', at, at + 32), bytes: Number(index.readBigUInt64LE(at + 40)) };
  }

  removePack(pack: string): void {
    this.#indexes.delete(pack);
    rmSync(join(this.#folder, pack), { force: true });
  }

  /** All of it. Throws `Unprocessable` when it is not there, or not what its digest says. */
  read(digest: string): Buffer {
    const pieces: Buffer[] = [];
    this.#each(digest, (bytes) => pieces.push(Buffer.from(bytes)));
    return Buffer.concat(pieces);
  }

  /** Writes it into a file. Throws as `read` does, when all of it was written: whoever calls gives the file its name after. */
  copyTo(digest: string, file: HeldFile): void {
    this.#each(digest, (bytes, at) => file.write(bytes, at));
  }

  /** Throws as `read` does. */
  check(digest: string): void {
    this.#each(digest, () => undefined);
  }

  /** Its bytes, as they are on the disk: whoever reads them sees by their digest what they are. */
  source(digest: string): Source & Disposable {
    const { pack, at, bytes } = this.#place(digest);
    const fd = openSync(join(this.#folder, pack), 'r');
    return {
      read: (room, position) =>
        readSync(fd, room, 0, Math.min(room.length, Math.max(0, bytes - position)), at + position),
      [Symbol.dispose]: () => closeSync(fd),
    };
  }

  #place(digest: string): Place {
    const place = this.#find(digest);
    if (place === undefined) throw lost(digest, 'is missing');
    return place;
  }

  #each(digest: string, take: (bytes: Buffer, at: number) => void): void {
    using source = this.source(digest);
    const actual = createHash('sha256');
    const room = Buffer.allocUnsafe(PIECE_BYTES);
    for (let at = 0; ; ) {
      const got = source.read(room, at);
      if (got === 0) break;
      actual.update(room.subarray(0, got));
      take(room.subarray(0, got), at);
      at += got;
    }
    // SECURITY: what comes back is what was there, or nothing does: no other bytes pass for it [WO-1].
    if (actual.digest('hex') !== digest) throw lost(digest, 'was changed');
  }

  #find(digest: string, except?: string): Place | undefined {
    const wanted = Buffer.from(digest, 'hex');
    for (const [pack, index] of this.#indexes) {
      if (pack === except) continue;
      let [low, high] = [0, index.length / INDEX_ROW_BYTES];
      while (low < high) {
        const middle = (low + high) >> 1;
        const from = middle * INDEX_ROW_BYTES;
        const order = index.compare(wanted, 0, 32, from, from + 32);
        if (order === 0)
          return {
            pack,
            at: Number(index.readBigUInt64LE(from + 32)),
            bytes: Number(index.readBigUInt64LE(from + 40)),
          };
        if (order < 0) low = middle + 1;
        else high = middle;
      }
    }
    return undefined;
  }

  /** A pack whose index is not whole holds nothing: what refers to it says so when it is asked for. */
  #open(pack: string): void {
    const fd = openSync(join(this.#folder, pack), 'r');
    try {
      const { size } = fstatSync(fd);
      const trailer = Buffer.alloc(TRAILER_BYTES);
      if (
        size < TRAILER_BYTES ||
        readSync(fd, trailer, 0, TRAILER_BYTES, size - TRAILER_BYTES) < TRAILER_BYTES
      )
        return;
      const from = Number(trailer.readBigUInt64LE(0));
      const length = size - TRAILER_BYTES - from;
      if (trailer.toString('latin1', 40) !== PACK_MAGIC || length < 0 || length % INDEX_ROW_BYTES !== 0)
        return;
      const index = Buffer.alloc(length);
      if (readSync(fd, index, 0, length, from) < length) return;
      if (hash('sha256', index, 'buffer').equals(trailer.subarray(8, 40))) this.#indexes.set(pack, index);
    } finally {
      closeSync(fd);
    }
  }
}

function lost(digest: string, how: string): SallyportError {
  return new SallyportError('Unprocessable', {
    message: `the store of snapshots was damaged: the content ${digest.slice(0, 12)} ${how}`,
    hint: 'choose another snapshot with `--to`, or leave out the file with `--path`',
  });
}
