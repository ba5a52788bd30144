import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of bodies after which their buffers are let go of; the engine by itself waits for 64 MiB of them. */
const EVERY_BYTES = 16 * 1_048_576;

let bytes = 0;
let collect: (() => void) | undefined;

/**
 * Told of each large piece that was passed on. A long download makes hardly any objects but many megabytes outside the
 * heap. The engine then looks through all of the heap to get rid of them, which costs as much as the download itself;
 * a look at the young ones is enough, and takes a millisecond.
 */
export function passedOn(size: number): void {
  bytes += size;
  if (bytes < EVERY_BYTES) return;
  bytes = 0;
  collect ??= youngCollector();
  collect();
}

function youngCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  // An engine without it does what it always did.
  return typeof gc === 'function' ? () => void gc({ type: 'minor' }) : () => {};
}
