import { renameSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** Something, a link that takes its name, and where it waits meanwhile. */
interface Pair {
  readonly real: string;
  readonly link: string;
  readonly aside: string;
}

/** Swaps a folder and a file for links and back, as fast as the system can, and counts aloud. */
interface Order {
  readonly folder: Pair;
  readonly file: Pair;
  /** how often the folder is swapped; the file every fourth time */
  readonly times: number;
  /** how often it swapped so far */
  readonly count: Int32Array<SharedArrayBuffer>;
}

// `as`: the one test that starts this worker hands it over.
const { folder, file, times, count } = workerData as Order;

function swap({ real, link, aside }: Pair): void {
  renameSync(real, aside);
  renameSync(link, real);
  renameSync(real, link);
  renameSync(aside, real);
}

for (let round = 0; round < times; round += 1) {
  swap(folder);
  if (round % 4 === 0) swap(file);
  Atomics.add(count, 0, 1);
}
