import { renameSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** Swaps a folder for a link and back, as fast as the system can, and counts aloud. */
interface Order {
  readonly folder: string;
  readonly aside: string;
  readonly link: string;
  readonly times: number;
  /** how often it swapped so far */
  readonly count: Int32Array<SharedArrayBuffer>;
}

// `as`: the one test that starts this worker hands it over.
const { folder, aside, link, times, count } = workerData as Order;
for (let swap = 0; swap < times; swap += 1) {
  renameSync(folder, aside);
  renameSync(link, folder);
  renameSync(folder, link);
  renameSync(aside, folder);
  Atomics.add(count, 0, 1);
}
