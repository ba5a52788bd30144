import type { Config } from '../../config/index.ts';
import { compileRoutes, type RouteFor } from '../../credentials/index.ts';
import { compileDomainPatterns } from '../../shared/host.ts';

/** What the config says about one tenant's requests, compiled once. */
export interface ProxySettings {
  readonly previewBytes: number;
  readonly spoolBytes: number;
  isTunnel(host: string): boolean;
  passesAuth(host: string): boolean;
  /** lower case */
  readonly stripHeaders: ReadonlySet<string>;
  readonly routeFor: RouteFor;
}

const PREVIEW_BYTES = 65_536;
const SPOOL_BYTES = 1_073_741_824;

/** Settings by tenant, compiled when first asked for and again when the config is another one. */
export function createProxySettings(config: () => Config): (tenant: string) => ProxySettings {
  let current: Config | undefined;
  let compiled = new Map<string, ProxySettings>();
  return (tenant) => {
    if (current !== config()) {
      current = config();
      compiled = new Map();
    }
    let settings = compiled.get(tenant);
    if (settings === undefined) {
      settings = compileSettings(current, tenant);
      compiled.set(tenant, settings);
    }
    return settings;
  };
}

function compileSettings(config: Config, name: string): ProxySettings {
  const tenant = Object.hasOwn(config.tenants, name) ? config.tenants[name] : undefined;
  const [own, top] = [tenant?.network, config.network];
  const tunnel = compileDomainPatterns([...(own?.tunnel ?? []), ...(top?.tunnel ?? [])]);
  const passAuth = compileDomainPatterns([...(own?.pass_auth ?? []), ...(top?.pass_auth ?? [])]);
  const strip = [...(own?.strip_headers ?? []), ...(top?.strip_headers ?? [])];
  return {
    previewBytes: own?.preview_body_bytes ?? top?.preview_body_bytes ?? PREVIEW_BYTES,
    spoolBytes: own?.max_spool_bytes ?? top?.max_spool_bytes ?? SPOOL_BYTES,
    isTunnel: (host) => tunnel(host) !== undefined,
    passesAuth: (host) => passAuth(host) !== undefined,
    stripHeaders: new Set(strip.map((header) => header.toLowerCase())),
    routeFor: compileRoutes([...(tenant?.routes ?? []), ...config.routes]),
  };
}
