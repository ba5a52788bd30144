import type { Config } from '../config/index.ts';
import { compileGlob } from '../shared/glob.ts';
import { matchesDomain } from '../shared/host.ts';
import type { Injection } from './broker.ts';

/** A credential that goes with a request. */
export interface Route {
  readonly credential: string;
  readonly inject: Injection | undefined;
}

/** The first route that matches. `path` is normalised; undefined when it cannot be read one way. */
export type RouteFor = (host: string, port: number, path: string | undefined) => Route | undefined;

const KNOWN_AT_MOST = 1_000;

export function compileRoutes(routes: Config['routes']): RouteFor {
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
