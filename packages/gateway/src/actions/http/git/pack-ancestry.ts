import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';

// A push needs few objects to show where its commits come from; a bomb shall not get more than this.
const MAX_OBJECTS = 2_000;
const MAX_OBJECT_BYTES = 1_048_576;
const MAX_TOTAL_BYTES = 8_388_608;

const OFS_DELTA = 6;
const REF_DELTA = 7;

interface PackObject {
  readonly type: number;
  readonly data: Uint8Array;
}

/** One object of a pack whose bytes could be read, with its id, which is computed here and never taken from the sender. */
export interface PackedObject {
  readonly id: string;
  readonly kind: 'commit' | 'tree' | 'blob' | 'tag';
  readonly data: Uint8Array;
}

const KINDS = [undefined, 'commit', 'tree', 'blob', 'tag'] as const;

/**
 * Whether the commits in the first bytes of a pack prove that `to` descends from `from`: then moving a branch
 * from one to the other loses nothing. `false` means: not proven, which a forced push and a push whose commits
 * the server already has both are.
 */
export function provesFastForward(objects: readonly PackedObject[], from: string, to: string): boolean {
  const parents = new Map<string, readonly string[]>();
  for (const { id, kind, data } of objects) if (kind === 'commit') parents.set(id, parentsOf(data));
  const queue = [to];
  const seen = new Set(queue);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const parent of parents.get(id) ?? []) {
      if (parent === from) return true;
      if (!seen.has(parent)) queue.push(parent);
      seen.add(parent);
    }
  }
  return false;
}

/** The objects of a pack that can be read, as far as its first bytes go. What builds on objects that only the server has cannot. */
export function readPack(pack: Uint8Array, algorithm: 'sha1' | 'sha256'): readonly PackedObject[] {
  if (pack.length < 12) return [];
  const head = Buffer.from(pack.buffer, pack.byteOffset, 12);
  if (head.toString('latin1', 0, 4) !== 'PACK') return [];
  const count = Math.min(head.readUInt32BE(8), MAX_OBJECTS);
  const byOffset = new Map<number, PackObject>();
  const byId = new Map<string, PackObject>();
  const objects: PackedObject[] = [];
  let total = 0;
  for (let at = 12, index = 0; index < count; index += 1) {
    const entry = readObject(pack, at, algorithm === 'sha1' ? 20 : 32, byOffset, byId);
    if (entry === undefined) break;
    total += entry.object?.data.length ?? 0;
    if (total > MAX_TOTAL_BYTES) break;
    const kind = KINDS[entry.object?.type ?? 0];
    if (entry.object !== undefined && kind !== undefined) {
      const { data } = entry.object;
      const id = createHash(algorithm).update(`${kind} ${data.length}\0`).update(data).digest('hex');
      byOffset.set(at, entry.object);
      byId.set(id, entry.object);
      objects.push({ id, kind, data });
    }
    at = entry.end;
  }
  return objects;
}

function parentsOf(commit: Uint8Array): readonly string[] {
  const text = Buffer.from(commit.buffer, commit.byteOffset, commit.length).toString('latin1');
  const found: string[] = [];
  // The header is a tree line, then the parents; a message that looks like them comes later.
  for (const line of text.split('\n').slice(1)) {
    if (!line.startsWith('parent ')) break;
    found.push(line.slice('parent '.length));
  }
  return found;
}

interface Entry {
  readonly end: number;
  /** absent for a delta whose base we did not see */
  readonly object?: PackObject;
}

function readObject(
  pack: Uint8Array,
  start: number,
  idBytes: number,
  seen: ReadonlyMap<number, PackObject>,
  known: ReadonlyMap<string, PackObject>,
): Entry | undefined {
  let at = start;
  let byte = pack[at];
  if (byte === undefined) return undefined;
  const type = (byte >> 4) & 7;
  while (byte !== undefined && byte & 0x80) {
    at += 1;
    byte = pack[at];
  }
  at += 1;
  let base: PackObject | undefined;
  if (type === OFS_DELTA) {
    let distance = -1;
    do {
      byte = pack[at];
      if (byte === undefined) return undefined;
      at += 1;
      distance = (distance + 1) * 128 + (byte & 0x7f);
    } while (byte & 0x80);
    base = seen.get(start - distance);
  } else if (type === REF_DELTA) {
    base = known.get(Buffer.from(pack.subarray(at, at + idBytes)).toString('hex'));
    at += idBytes;
  }
  const inflated = inflate(pack.subarray(at));
  if (inflated === undefined) return undefined;
  const end = at + inflated.consumed;
  if (type !== OFS_DELTA && type !== REF_DELTA) return { end, object: { type, data: inflated.data } };
  const data = base === undefined ? undefined : applyDelta(base.data, inflated.data);
  return base === undefined || data === undefined ? { end } : { end, object: { type: base.type, data } };
}

function inflate(bytes: Uint8Array): { data: Uint8Array; consumed: number } | undefined {
  try {
    // `info` also gives the engine, which knows how many bytes the stream took; the typings leave it out.
    const result = inflateSync(bytes, { info: true, maxOutputLength: MAX_OBJECT_BYTES }) as unknown as {
      buffer: Uint8Array;
      engine: { bytesWritten: number };
    };
    return { data: result.buffer, consumed: result.engine.bytesWritten };
  } catch {
    // Cut off by the end of the prefix, too large, or no zlib stream: nothing is proven from here on.
    return undefined;
  }
}

/** Applies a git delta; `undefined` when it does not fit its base. */
function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array | undefined {
  let at = 0;
  const size = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = delta[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if ((byte & 0x80) === 0 || shift > 28) return value;
    }
  };
  if (size() !== base.length) return undefined;
  const length = size();
  if (length > MAX_OBJECT_BYTES) return undefined;
  const out = new Uint8Array(length);
  let filled = 0;
  while (at < delta.length) {
    const code = delta[at] ?? 0;
    at += 1;
    let piece: Uint8Array;
    if (code & 0x80) {
      let offset = 0;
      let count = 0;
      for (let bit = 0; bit < 7; bit += 1) {
        if ((code & (1 << bit)) === 0) continue;
        const value = delta[at] ?? 0;
        at += 1;
        if (bit < 4) offset += value * 2 ** (8 * bit);
        else count += value * 2 ** (8 * (bit - 4));
      }
      piece = base.subarray(offset, offset + (count === 0 ? 0x10000 : count));
    } else {
      piece = delta.subarray(at, at + code);
      at += code;
    }
    if (piece.length === 0 || filled + piece.length > length) return undefined;
    out.set(piece, filled);
    filled += piece.length;
  }
  return filled === length ? out : undefined;
}
