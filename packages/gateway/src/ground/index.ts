export type { OutletContext } from './audit-outlets.ts';
export { ConfigInForce, type ConfigListener } from './config-in-force.ts';
export { ensureConfig, ensureHomeSecrets, type HomeSecrets } from './home-files.ts';
export { type LivePart, type LiveProblem, problemOf } from './live-part.ts';
export { type GroundServices, openGround } from './open-ground.ts';
export { areSame, readSecret, type SecretContext, type SecretsRead } from './read-secret.ts';
export { SYSTEM_TENANT, seedIdentity } from './seed-identity.ts';
