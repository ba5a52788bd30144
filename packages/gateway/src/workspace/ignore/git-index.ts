import { hash } from 'node:crypto';
import type { Bytes } from '../tree/held-folder.ts';

/** What git's index says, without the times and numbers of files that it keeps to be quick. */
export interface GitIndex {
  /** paths that git follows, in the order of their bytes; one that ends in `/` stands for all below it */
  readonly paths: readonly Bytes[];
  /** the same for two indexes that mean the same */
  readonly digest: string;
}

const FIXED_BYTES = 40;
const ASSUMED = 0x8000;
const EXTENDED = 0x4000;
const STAGE = 0x3000;

/**
 * Reads a `.git/index` of version 2 to 4. Undefined for anything else: cut off, unordered, or with a part elsewhere (a
 * split index). The text is an agent's own after its first instruction: nothing is believed but by this reading.
 */
export function readGitIndex(bytes: Buffer): GitIndex | undefined {
  // Which of the two digests a repository uses stands elsewhere; only one of them gives a list that is in order.
  return readWith(bytes, 20) ?? readWith(bytes, 32);
}

function readWith(bytes: Buffer, hashBytes: number): GitIndex | undefined {
  const end = bytes.length - hashBytes;
  if (end < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if (version < 2 || version > 4 || count * (FIXED_BYTES + hashBytes) > end) return undefined;
  const paths: Bytes[] = [];
  const meanings: string[] = [];
  let at = 12;
  let before: Bytes = '';
  for (let n = 0; n < count; n += 1) {
    const start = at;
    if (at + FIXED_BYTES + hashBytes + 2 > end) return undefined;
    const mode = bytes.readUInt32BE(at + 24);
    const id = bytes.toString('hex', at + FIXED_BYTES, at + FIXED_BYTES + hashBytes);
    at += FIXED_BYTES + hashBytes;
    const flags = bytes.readUInt16BE(at);
    at += 2;
    let more = 0;
    if ((flags & EXTENDED) !== 0) {
      if (version < 3 || at + 2 > end) return undefined;
      more = bytes.readUInt16BE(at);
      at += 2;
    }
    let path: Bytes = '';
    if (version === 4) {
      const cut = readVarint(bytes, at, end);
      if (cut === undefined || cut.value > before.length) return undefined;
      at = cut.next;
      path = before.slice(0, before.length - cut.value);
    }
    const stop = bytes.indexOf(0, at);
    if (stop === -1 || stop >= end) return undefined;
    path += bytes.toString('latin1', at, stop);
    at = version === 4 ? stop + 1 : start + ((stop - start + 8) & ~7);
    if (path === '' || path < before) return undefined;
    before = path;
    paths.push(path);
    meanings.push(`${mode} ${id} ${flags & (ASSUMED | STAGE)} ${more} ${path}`);
  }
  for (; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4)) {
    const extension = bytes.toString('latin1', at, at + 4);
    // SECURITY: with paths in another file nothing is known to be followed or not.
    if (extension === 'link') return undefined;
  }
  return at === end ? { paths, digest: hash('sha256', meanings.join('\0')) } : undefined;
}

/** A number in git's own variable length. */
function readVarint(
  bytes: Buffer,
  from: number,
  end: number,
): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let at = from; at < end && at < from + 5; at += 1) {
    const byte = bytes[at] ?? 0;
    value = (value << 7) | (byte & 0x7f);
    if ((byte & 0x80) === 0) return { value, next: at + 1 };
    value += 1;
  }
  return undefined;
}

/** Whether git follows the path, or anything below it. */
export function follows({ paths }: GitIndex, path: Bytes): boolean {
  const at = placeOf(paths, path);
  if (paths[at] === path || paths[placeOf(paths, `${path}/`)]?.startsWith(`${path}/`) === true) return true;
  const above = paths[at - 1];
  return above?.endsWith('/') === true && path.startsWith(above);
}

/** Where the path is, or would be. */
function placeOf(paths: readonly Bytes[], path: Bytes): number {
  let [low, high] = [0, paths.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((paths[middle] ?? '') < path) low = middle + 1;
    else high = middle;
  }
  return low;
}
