export { HttpExecutor } from './http/http-executor.ts';
export type { HttpJob } from './http/http-job.ts';
