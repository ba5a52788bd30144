export { type NestedJail, openNestedJail } from './nested-jail.ts';
export { runOrder } from './run-order.ts';
export { type CallAnswer, SealClient, type SealClientOptions } from './seal-client.ts';
export { WorkerError, type WorkerErrorCode } from './worker-error.ts';
export { parseWorkload, type Workload } from './workload.ts';
