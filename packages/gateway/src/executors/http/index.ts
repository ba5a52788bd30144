export { HttpExecutor } from './http-executor.ts';
export type { HttpJob } from './http-job.ts';
