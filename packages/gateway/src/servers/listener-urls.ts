import type { ListenerUrls, Ports } from '@sallyport/protocol';
import type { Config } from '../config/index.ts';

/** Where each listener is reached from this machine. `api.tls` is not for the proxy. */
export function listenerUrls(api: Config['api'], ports: Ports): ListenerUrls {
  const scheme = api.tls === undefined ? 'http' : 'https';
  const host = urlHost(api.host);
  return {
    api: `${scheme}://${host}:${ports.api}`,
    proxy: `http://${host}:${ports.proxy}`,
    operator: `${scheme}://${host}:${ports.operator}`,
  };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
