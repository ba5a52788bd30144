import { forEachPort, type ListenerUrls, PORTS, type Ports } from '@sallyport/protocol';
import type { Config } from '../config/index.ts';

/** Where each listener is reached from this machine. `api.tls` is for the two sides, not for doors. */
export function listenerUrls(api: Config['api'], ports: Ports): ListenerUrls {
  const scheme = api.tls === undefined ? 'http' : 'https';
  const host = urlHost(api.host);
  return forEachPort((name) => {
    const isSide = name === 'api' || name === 'operator';
    return `${isSide ? scheme : PORTS[name].scheme}://${host}:${ports[name]}`;
  });
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
