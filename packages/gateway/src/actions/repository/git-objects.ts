import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { readPlainText } from '../../shared/git-folder.ts';

const LARGEST_PACKED_REFS = 8_388_608;
const LARGEST_OBJECT = 1_048_576;
const MOST_PACKS = 64;
const ID = /^[0-9a-f]{40}$/;

/** The text of `packed-refs`, empty where there is none; undefined: it cannot be read. */
export function packedRefs(common: string): string | undefined {
  const file = join(common, 'packed-refs');
  return existsSync(file) ? readPlainText(file, LARGEST_PACKED_REFS) : '';
}

/** The commit that a ref leads to; undefined when it is not there, or another ref. */
export function commitOf(common: string, ref: string): string | undefined {
  if (/(?:^|\/)\.|\.\.|\0/.test(ref)) return undefined;
  const loose = readPlainText(join(common, ref), 4_096)?.trimEnd();
  if (loose !== undefined) return ID.test(loose) ? loose : undefined;
  const found = packedRefs(common)
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.slice(0, 40);
  return found !== undefined && ID.test(found) ? found : undefined;
}

/** Whether a commit is the tip of a branch as the other side had it last. */
export function isRemoteTip(common: string, id: string): boolean {
  const packed = packedRefs(common) ?? '';
  if (packed.split('\n').some((line) => line.startsWith(`${id} refs/remotes/`))) return true;
  try {
    return readdirSync(join(common, 'refs/remotes'), { recursive: true, withFileTypes: true }).some(
      (entry) => entry.isFile() && readPlainText(join(entry.parentPath, entry.name), 4_096)?.trimEnd() === id,
    );
  } catch {
    return false;
  }
}

/** The bytes of an object that was made here and is not packed yet. */
export function looseObject(common: string, id: string, kind: 'commit' | 'tree'): Buffer | undefined {
  try {
    const file = join(common, 'objects', id.slice(0, 2), id.slice(2));
    if (statSync(file).size > LARGEST_OBJECT) return undefined;
    const bytes = inflateSync(readFileSync(file), { maxOutputLength: LARGEST_OBJECT });
    const end = bytes.indexOf(0);
    return end > 0 && bytes.toString('latin1', 0, end).startsWith(`${kind} `)
      ? bytes.subarray(end + 1)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an object is in a pack: what a clone or a fetch brought is. */
export function isPacked(common: string, id: string): boolean {
  const folder = join(common, 'objects/pack');
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.idx'));
    return names.slice(0, MOST_PACKS).some((name) => isInIndex(join(folder, name), Buffer.from(id, 'hex')));
  } catch {
    return false;
  }
}

const FAN_OUT = 8;
const NAMES = FAN_OUT + 256 * 4;

/** Looks an id up in the index of a pack (version 2). */
function isInIndex(file: string, id: Buffer): boolean {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(NAMES);
    if (readSync(handle, head, 0, NAMES, 0) !== NAMES || head.readUInt32BE(0) !== 0xff744f63) return false;
    const first = id[0] ?? 0;
    let low = first === 0 ? 0 : head.readUInt32BE(FAN_OUT + (first - 1) * 4);
    let high = head.readUInt32BE(FAN_OUT + first * 4);
    const name = Buffer.alloc(20);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (readSync(handle, name, 0, 20, NAMES + middle * 20) !== 20) return false;
      const order = Buffer.compare(name, id);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  } finally {
    closeSync(handle);
  }
}
