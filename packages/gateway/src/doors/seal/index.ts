export type { Seal, SealParts } from './open-seal.ts';
export { type SealRoutesParts, sealRoutes } from './routes.ts';
export { sealWorkloadRoutes, type WorkloadControl } from './workload-routes.ts';

/** The door itself, which most starts do not need. */
export const loadSeal = async () => (await import('./open-seal.ts')).openSeal;
