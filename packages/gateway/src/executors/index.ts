export type { EgressPort, UpgradeAnswer } from './http/egress-port.ts';
export { HttpExecutor } from './http/http-executor.ts';
export type { HttpJob } from './http/http-job.ts';
