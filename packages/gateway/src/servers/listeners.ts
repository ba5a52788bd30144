import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import type { Ports } from '@sallyport/protocol';
import type { Config } from '../config/index.ts';
import type { AgentProcesses } from '../identity/index.ts';
import type { App } from './base-app.ts';
import { createHttpServer, DEFAULT_LIMITS, type HttpLimits } from './http-server.ts';
import { listenOnPort, listenOnSocket } from './listen.ts';
import { refuseOpenListener } from './tls-files.ts';

/** How long requests that are under way may take once the gateway stops, in ms. */
const DRAIN_MS = 3_000;

export interface ListenersOptions {
  readonly agentApp: App;
  readonly operatorApp: App;
  /** stands before the agent app's port */
  readonly plain: PlainFront;
  /** told of every connection to the operator's socket */
  readonly agentProcesses: Pick<AgentProcesses, 'noteConnection'>;
  /** takes the connections of the proxy's port */
  readonly proxy: ProxyFront;
  readonly api: Config['api'];
  /** ports that a flag gave */
  readonly ports: Partial<Ports>;
  readonly socketPath: string;
  readonly limits: Partial<HttpLimits> | undefined;
}

/** What takes the connections of a port before its server does. */
export interface PlainFront {
  /** From now on connections of this server come here first. */
  standBefore(server: Server, isTls: boolean): void;
  /** Takes no more. */
  close(): void;
  /** Cuts every connection. */
  cut(): void;
}

export interface ProxyFront {
  accept(socket: Socket): void;
  /** Cuts every connection. */
  close(): Promise<void>;
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
  socketServer.prependListener('connection', (socket: Socket) =>
    options.agentProcesses.noteConnection(socket),
  );
  const servers = [agentApp.server, operatorApp.server, socketServer];
  // Half-open connections are the door's business: a client may end its side and still wait for an answer.
  const proxyServer = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    options.proxy.accept(socket),
  );
  options.plain.standBefore(agentApp.server, api.tls !== undefined);
  const cut = (): void => {
    options.plain.cut();
    for (const server of servers) server.closeAllConnections();
    void options.proxy.close();
  };
  const close = async (): Promise<void> => {
    options.plain.close();
    await Promise.all([closeAll(servers, options.plain), closeProxy(proxyServer, options.proxy)]);
  };
  try {
    const opened = {
      api: await listenOnPort(agentApp.server, {
        host: api.host,
        port: ports.api ?? api.ports.api,
        flag: '--api-port',
      }),
      proxy: await listenOnPort(proxyServer, {
        host: api.host,
        port: ports.proxy ?? api.ports.proxy,
        flag: '--proxy-port',
      }),
      operator: await listenOnPort(operatorApp.server, {
        host: api.host,
        port: ports.operator ?? api.ports.operator,
        flag: '--operator-port',
      }),
    };
    await listenOnSocket(socketServer, options.socketPath);
    return { ports: opened, close, cut };
  } catch (error) {
    cut();
    await close();
    throw error;
  }
}

async function closeAll(servers: readonly Server[], plain: PlainFront): Promise<void> {
  const timer = setTimeout(() => plain.cut(), DRAIN_MS);
  await Promise.all(servers.filter((server) => server.listening).map(closeServer));
  clearTimeout(timer);
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(timer);
}

/** No new connection, then the door ends those that are there. */
async function closeProxy(server: NetServer, proxy: ProxyFront): Promise<void> {
  const closed = server.listening ? once(server, 'close') : undefined;
  if (server.listening) server.close();
  await proxy.close();
  await closed;
}
