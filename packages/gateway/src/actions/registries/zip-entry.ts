import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_ENTRY_BYTES = 1_048_576;

/** One file of a zip archive; `undefined` when it is not in there, or the archive is not one. */
export function readZipEntry(zip: Buffer, name: string): Buffer | undefined {
  try {
    return find(zip, name);
  } catch (error) {
    // Offsets that point outside, a broken stream: not an archive that a client would run with.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error)) return undefined;
    throw error;
  }
}

function find(zip: Buffer, name: string): Buffer | undefined {
  // The end record is 22 bytes and may carry a comment.
  let end = zip.length - 22;
  while (end >= 0 && end > zip.length - 65_558 && zip.readUInt32LE(end) !== END) end -= 1;
  if (end < 0 || zip.readUInt32LE(end) !== END) return undefined;
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count && zip.readUInt32LE(at) === CENTRAL; index += 1) {
    const nameLength = zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      return content(zip, zip.readUInt32LE(at + 42), zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 10));
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return undefined;
}

function content(zip: Buffer, local: number, size: number, method: number): Buffer | undefined {
  if (zip.readUInt32LE(local) !== LOCAL) return undefined;
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const data = zip.subarray(start, start + size);
  if (method === 0) return data;
  return method === 8 ? inflateRawSync(data, { maxOutputLength: MAX_ENTRY_BYTES }) : undefined;
}
