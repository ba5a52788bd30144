import type { Config } from '../../config/index.ts';
import type { Injection } from '../../credentials/index.ts';
import { compileGlob } from '../../shared/glob.ts';
import { compileDomainPatterns, matchesDomain } from '../../shared/host.ts';

/** A credential that goes with a request. */
export interface Route {
  readonly credential: string;
  readonly inject: Injection | undefined;
}

/** What the config says about one tenant's requests, compiled once. */
export interface ProxySettings {
  readonly previewBytes: number;
  readonly spoolBytes: number;
  isTunnel(host: string): boolean;
  passesAuth(host: string): boolean;
  /** lower case */
  readonly stripHeaders: ReadonlySet<string>;
  /** The first route that matches. `path` is normalised; undefined when it cannot be read one way. */
  routeFor(host: string, port: number, path: string | undefined): Route | undefined;
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

const KNOWN_AT_MOST = 1_000;

function compileRoutes(routes: Config['routes']): ProxySettings['routeFor'] {
  const entries = routes.map(({ host, port, path, credential, inject }) => ({
    host,
    port,
    path: path === undefined ? undefined : compileGlob(path, 'path'),
    route: { credential, inject },
  }));
  // The same few hosts come again and again; most have no route at all.
  const byHost = new Map<string, typeof entries>();
  return (host, port, path) => {
    let candidates = byHost.get(host);
    if (candidates === undefined) {
      candidates = entries.filter((entry) => matchesDomain(entry.host, host));
      if (byHost.size < KNOWN_AT_MOST) byHost.set(host, candidates);
    }
    for (const entry of candidates) {
      if (entry.port !== undefined && entry.port !== port) continue;
      // SECURITY: a path that servers read differently gets no credential by its path.
      if (entry.path !== undefined && (path === undefined || !entry.path.matches(path))) continue;
      return entry.route;
    }
    return undefined;
  };
}
