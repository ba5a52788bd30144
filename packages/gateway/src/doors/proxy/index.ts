export { type CaControl, caRoutes } from './ca-routes.ts';
export { createProxyDoor, type ProxyDoor } from './proxy-door.ts';
export type { ProxyLimits } from './proxy-limits.ts';
export type { ProxyParts } from './proxy-parts.ts';
export { createProxySettings, type ProxySettings } from './proxy-settings.ts';
