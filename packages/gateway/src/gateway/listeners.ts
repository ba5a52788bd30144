import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Ports } from '@sallyport/protocol';
import type { Config } from '../config/index.ts';
import { type App, createHttpServer, DEFAULT_LIMITS, type HttpLimits } from '../doors/api/index.ts';
import { listenOnPort, listenOnSocket } from './listen.ts';
import { refuseOpenListener } from './tls-files.ts';

/** How long requests that are under way may take once the gateway stops, in ms. */
const DRAIN_MS = 3_000;

export interface ListenersOptions {
  readonly agentApp: App;
  readonly operatorApp: App;
  readonly api: Config['api'];
  /** ports that a flag gave */
  readonly ports: Partial<Ports>;
  readonly socketPath: string;
  readonly limits: Partial<HttpLimits> | undefined;
}

/** Everything that listens. */
export interface Listeners {
  readonly ports: Ports;
  /** Takes no new connection, lets requests under way finish within a bound, then cuts what is left. */
  close(): Promise<void>;
  /** Cuts every connection now. */
  cut(): void;
}

/** Opens all listeners or none; the apps are ready. Throws `PortInUse` or `HomeUnusable`. */
export async function openListeners(options: ListenersOptions): Promise<Listeners> {
  const { agentApp, operatorApp, api, ports } = options;
  refuseOpenListener(api);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const socketServer = createHttpServer(
    (request, response) => operatorApp.routing(request, response),
    limits,
  );
  const servers = [agentApp.server, operatorApp.server, socketServer];
  const cut = (): void => {
    for (const server of servers) server.closeAllConnections();
  };
  try {
    const opened = {
      api: await listenOnPort(agentApp.server, {
        host: api.host,
        port: ports.api ?? api.ports.api,
        flag: '--api-port',
      }),
      operator: await listenOnPort(operatorApp.server, {
        host: api.host,
        port: ports.operator ?? api.ports.operator,
        flag: '--operator-port',
      }),
    };
    await listenOnSocket(socketServer, options.socketPath);
    return { ports: opened, close: () => closeAll(servers), cut };
  } catch (error) {
    cut();
    await closeAll(servers);
    throw error;
  }
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.filter((server) => server.listening).map(closeServer));
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(timer);
}
