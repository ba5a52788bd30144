export { openSeal, type Seal, type SealParts } from './open-seal.ts';
export type { NewWorkload } from './workloads.ts';
