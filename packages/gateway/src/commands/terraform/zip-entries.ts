import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const MOST_ENTRIES = 4_096;
const MOST_BYTES = 67_108_864;

/**
 * The files of a zip archive, by name, each as text. undefined: it is none, or larger than a plan can be. Names twice, entries
 * that overlap and encrypted ones are refused: two programs would read them differently.
 */
export function zipEntries(bytes: Uint8Array): ReadonlyMap<string, string> | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // The record at the end, without a comment behind it: terraform writes none.
  const end = file.length - 22;
  if (end < 0 || file.readUInt32LE(end) !== END || file.readUInt16LE(end + 20) !== 0) return undefined;
  const count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  if (count > MOST_ENTRIES || count !== file.readUInt16LE(end + 8)) return undefined;
  const entries = new Map<string, string>();
  let total = 0;
  try {
    for (let index = 0; index < count; index += 1) {
      if (file.readUInt32LE(at) !== ENTRY || (file.readUInt16LE(at + 8) & 1) !== 0) return undefined;
      const method = file.readUInt16LE(at + 10);
      const packed = file.readUInt32LE(at + 20);
      const size = file.readUInt32LE(at + 24);
      const nameBytes = file.readUInt16LE(at + 28);
      const local = file.readUInt32LE(at + 42);
      const name = file.toString('utf8', at + 46, at + 46 + nameBytes);
      at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
      total += size;
      if (entries.has(name) || total > MOST_BYTES || file.readUInt32LE(local) !== LOCAL) return undefined;
      const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
      // SECURITY: readers that walk the local heads see the name that stands there.
      if (file.toString('utf8', local + 30, local + 30 + file.readUInt16LE(local + 26)) !== name)
        return undefined;
      const data = file.subarray(start, start + packed);
      const content =
        method === 0 ? data : method === 8 ? inflateRawSync(data, { maxOutputLength: size + 1 }) : undefined;
      if (content === undefined || content.length !== size) return undefined;
      entries.set(name, content.toString('utf8'));
    }
  } catch {
    // A number that leads out of the file, or no deflated data.
    return undefined;
  }
  return at === end ? entries : undefined;
}
