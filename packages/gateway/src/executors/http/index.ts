export { HttpExecutor, type Upgraded } from './http-executor.ts';
export type { HttpJob } from './http-job.ts';
export type { Line } from './line.ts';
