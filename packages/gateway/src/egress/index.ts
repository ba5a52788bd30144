export { createEgress, type Egress, type EgressOptions } from './egress.ts';
export type { EgressLimits } from './limits.ts';
export type { NetworkConfig, NetworkSettings } from './networks.ts';
export type { OwnListener } from './opener.ts';
export type { Resolver } from './resolve.ts';
export type { UpgradeOutcome } from './upgrade.ts';
