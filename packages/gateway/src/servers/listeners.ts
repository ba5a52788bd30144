import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import {
  type DoorWithPort,
  forEachPort,
  type ListenerUrls,
  PORT_NAMES,
  PORTS,
  type PortName,
  type Ports,
} from '@sallyport/protocol';
import type { Config } from '../config/index.ts';
import type { AgentProcesses } from '../identity/index.ts';
import type { App } from './base-app.ts';
import type { AgentSide, ConnectionFront, PortListener } from './door-definition.ts';
import { createHttpServer, DEFAULT_LIMITS, type HttpLimits } from './http-server.ts';
import { listenOnPort, listenOnSocket } from './listen.ts';
import { refuseOpenListener } from './tls-files.ts';

/** How long requests that are under way may take once the gateway stops, in ms. */
const DRAIN_MS = 3_000;

export interface ListenersOptions {
  readonly agent: AgentSide;
  readonly operator: App;
  /** what takes the connections of each port that is a door's own */
  readonly doors: Readonly<Record<DoorWithPort, PortListener>>;
  /** told of every connection to the operator's socket */
  readonly agentProcesses: Pick<AgentProcesses, 'noteConnection'>;
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

/** Opens all listeners or none; the sides are ready. Throws `PortInUse` or `HomeUnusable`. */
export async function openListeners(options: ListenersOptions): Promise<Listeners> {
  const { agent, operator, api, ports } = options;
  refuseOpenListener(api);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const socketServer = createHttpServer((request, response) => operator.routing(request, response), limits);
  socketServer.prependListener('connection', (socket: Socket) =>
    options.agentProcesses.noteConnection(socket),
  );
  const sides = [agent.app.server, operator.server, socketServer];
  const doors = Object.entries(options.doors).map(([name, listener]) => ({
    ...{ name, listener },
    // Half-open connections are the door's business: a client may end its side and still wait for an answer.
    server: createServer({ allowHalfOpen: true, noDelay: true }, (socket) => listener.accept(socket)),
  }));
  // `as`: exactly the doors with a port
  const ofDoors = Object.fromEntries(doors.map(({ name, server }) => [name, server])) as Record<
    DoorWithPort,
    NetServer
  >;
  const servers: Record<PortName, NetServer> = {
    api: agent.app.server,
    ...ofDoors,
    operator: operator.server,
  };
  for (const front of agent.fronts) front.standBefore(agent.app.server, api.tls !== undefined);
  const cut = (): void => {
    for (const front of agent.fronts) front.cut();
    for (const server of sides) server.closeAllConnections();
    for (const { listener } of doors) void listener.close();
  };
  const close = async (): Promise<void> => {
    for (const front of agent.fronts) front.close();
    await Promise.all([closeSides(sides, agent.fronts), ...doors.map(closeDoor)]);
  };
  try {
    const opened: [PortName, number][] = [];
    for (const name of PORT_NAMES) {
      const port = ports[name] ?? api.ports[name];
      const binding = { host: api.host, port, flag: `--${name}-port` };
      opened.push([name, await listenOnPort(servers[name], binding)]);
    }
    await listenOnSocket(socketServer, options.socketPath);
    // `as`: one for each name
    return { ports: Object.fromEntries(opened) as Ports, close, cut };
  } catch (error) {
    cut();
    await close();
    throw error;
  }
}

async function closeSides(servers: readonly Server[], fronts: readonly ConnectionFront[]): Promise<void> {
  const timer = setTimeout(() => {
    for (const front of fronts) front.cut();
  }, DRAIN_MS);
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
async function closeDoor({ server, listener }: { server: NetServer; listener: PortListener }): Promise<void> {
  const closed = server.listening ? once(server, 'close') : undefined;
  if (server.listening) server.close();
  await listener.close();
  await closed;
}

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
