import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol/error';
import { writeDurably } from '../store/durable-file.ts';

const LOOK_MS = 50;
const LONGEST_MS = 120_000;

/**
 * Waits until no other process works on a store. A gateway that was killed leaves one behind that finishes what it does;
 * the next gateway's waits for it, and is told by the time of its start from another process of the same number.
 */
export function takeStoreLock(folder: string): () => void {
  const file = join(folder, 'lock');
  const own = `${process.pid} ${startOf(process.pid)}`;
  for (let waited = 0; isHeld(file, own); waited += LOOK_MS) {
    if (waited >= LONGEST_MS) {
      throw new SallyportError('Unavailable', { message: 'another process still works on these snapshots' });
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  }
  writeDurably(file, Buffer.from(own));
  return () => rmSync(file, { force: true });
}

function isHeld(file: string, own: string): boolean {
  const text = read(file);
  const [pid = '', start] = text?.split(' ') ?? [];
  return text !== own && start !== undefined && start !== '' && startOf(Number(pid)) === start;
}

/** When a process began, in ticks since the machine did; empty when there is none. */
function startOf(pid: number): string {
  const stat = read(`/proc/${pid}/stat`) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
