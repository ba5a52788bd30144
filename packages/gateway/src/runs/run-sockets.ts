import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { SessionFacts } from '../identity/index.ts';
import {
  type App,
  bindConnection,
  createHttpServer,
  DEFAULT_LIMITS,
  listenOnSocket,
} from '../servers/index.ts';

/** for the answer to a request that ends its own session */
const LAST_ANSWER_MS = 1_000;

export interface RunDoors {
  readonly agentApp: Pick<App, 'routing'>;
  readonly proxy: {
    accept(socket: Socket, owner: { readonly session: SessionFacts }): void;
    /** A connection that goes to a port of this machine. */
    forward(socket: Socket, session: SessionFacts, port: number): void;
  };
}

/** The ways out of a jail. */
export interface RunSockets {
  readonly proxy: string;
  readonly api: string;
  /** ports of this machine, each with its socket */
  readonly forward: readonly { readonly port: number; readonly path: string }[];
  /** Takes no more connections and cuts those that are there. */
  close(): void;
}

/**
 * Opens the unix sockets of one session, for their owner alone. Whoever connects is this session, without a token:
 * the folder is closed to everyone else, and only this session's jail has it.
 *
 * SECURITY: the API behind it is the agent side; no operator route exists there [ID-1].
 */
export async function openRunSockets(
  folder: string,
  sessionNow: () => SessionFacts | undefined,
  { agentApp, proxy }: RunDoors,
  ports: readonly number[] = [],
): Promise<RunSockets> {
  const connections = new Set<Socket>();
  // Half-open connections are the door's business: a client may end its side and still wait for an answer.
  const serve = (take: (socket: Socket, session: SessionFacts) => void): Server =>
    createServer({ allowHalfOpen: true }, (socket) => {
      const session = sessionNow();
      if (session === undefined) {
        socket.destroy();
        return;
      }
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
      take(socket, session);
    });
  const proxyServer = serve((socket, session) => proxy.accept(socket, { session }));
  const forward = ports.map((port) => ({
    ...{ port, path: join(folder, `f${port.toString(36)}`) },
    server: serve((socket, session) => proxy.forward(socket, session, port)),
  }));
  const apiServer = createHttpServer(
    (request, response) => agentApp.routing(request, response),
    DEFAULT_LIMITS,
  );
  apiServer.prependListener('connection', (socket: Socket) => {
    const session = sessionNow();
    if (session === undefined) socket.destroy();
    else bindConnection(socket, session);
  });
  const close = (): void => {
    const servers: readonly Server[] = [proxyServer, apiServer, ...forward.map(({ server }) => server)];
    for (const server of servers) if (server.listening) server.close();
    apiServer.closeIdleConnections();
    // The request that ended the session is still to be answered; every other one has been cut by now.
    setTimeout(() => apiServer.closeAllConnections(), LAST_ANSWER_MS).unref();
    for (const socket of connections) socket.destroy();
  };
  const paths = { proxy: join(folder, 'p'), api: join(folder, 'a') };
  try {
    await Promise.all([
      listenOnSocket(proxyServer, paths.proxy),
      listenOnSocket(apiServer, paths.api),
      ...forward.map(({ server, path }) => listenOnSocket(server, path)),
    ]);
  } catch (error) {
    close();
    throw error;
  }
  return { ...paths, forward: forward.map(({ port, path }) => ({ port, path })), close };
}
