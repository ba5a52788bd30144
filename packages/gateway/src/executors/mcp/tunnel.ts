import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Egress } from '../../egress/index.ts';
import { compileDomainPatterns, parseHost } from '../../shared/host.ts';

/** Tunnels of one server at once. */
const MOST = 64;
const AUTHORITY = /^(?<name>\[[^\]]+\]|[^:]+):(?<port>\d{1,5})$/;

export interface TunnelParts {
  /** unix socket to listen on, outside of everything that the server can write */
  readonly path: string;
  /** `api.example.com`, `*.example.com:8443` */
  readonly hosts: readonly string[];
  readonly egress: Pick<Egress, 'connect'>;
  readonly tenant: string;
}

/**
 * The way out of a server in a sandbox: `CONNECT` to the hosts that the config names, and to nothing else. Each name is
 * looked up and checked by the gateway; what goes through is not looked at.
 */
export async function openTunnel({ path, hosts, egress, tenant }: TunnelParts): Promise<() => Promise<void>> {
  const isAllowed = compileHosts(hosts);
  const stopping = new AbortController();
  const open = new Set<Duplex>();
  const server = createServer((_request, response) => response.writeHead(403).end('only CONNECT is taken\n'));
  server.maxConnections = MOST;
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    track(open, client);
    const to = parseAuthority(request.url ?? '');
    // SECURITY: what is not named is not reached.
    if (to === undefined || !isAllowed(to.host, to.port)) {
      client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    egress
      .connect({ tenant, scheme: 'https', ...to }, { signal: stopping.signal })
      .then((upstream) => {
        track(open, upstream);
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        if (head.length > 0) upstream.write(head);
        join(client, upstream);
      })
      .catch(() => client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  return async () => {
    stopping.abort();
    for (const socket of open) socket.destroy();
    await close(server);
  };
}

function compileHosts(hosts: readonly string[]): (host: string, port: number) => boolean {
  const byPort = new Map<number, string[]>();
  for (const entry of hosts) {
    const [, host = entry, port = '443'] = /^(.*[^:]):(\d{1,5})$/.exec(entry) ?? [];
    byPort.set(Number(port), [...(byPort.get(Number(port)) ?? []), host]);
  }
  const matchers = new Map([...byPort].map(([port, patterns]) => [port, compileDomainPatterns(patterns)]));
  return (host, port) => matchers.get(port)?.(host) !== undefined;
}

function parseAuthority(text: string): { readonly host: string; readonly port: number } | undefined {
  const { name = '', port = '' } = AUTHORITY.exec(text)?.groups ?? {};
  const host = parseHost(name);
  return host === undefined ? undefined : { host: host.text, port: Number(port) };
}

function track(open: Set<Duplex>, socket: Duplex): void {
  open.add(socket);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => open.delete(socket));
}

function join(client: Duplex, upstream: Duplex): void {
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
  client.pipe(upstream).pipe(client);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
