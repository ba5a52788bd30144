import { connect, createServer, type Server, type Socket } from 'node:net';
import { listenOnFreePort } from '@sallyport/testkit';

/** A line to a local service that a test can break: `down` refuses, `slow` takes connections and stays silent. */
export class ContractProxy implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #state: { mode: 'up' | 'down' | 'slow' };

  private constructor(
    server: Server,
    port: number,
    sockets: Set<Socket>,
    state: { mode: 'up' | 'down' | 'slow' },
  ) {
    this.#server = server;
    this.port = port;
    this.#sockets = sockets;
    this.#state = state;
  }

  static async start(target: number): Promise<ContractProxy> {
    const sockets = new Set<Socket>();
    const state: { mode: 'up' | 'down' | 'slow' } = { mode: 'up' };
    const keep = (socket: Socket): void => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => {}); // a line that breaks is what this is for
    };
    const server = createServer((socket) => {
      keep(socket);
      if (state.mode === 'down') socket.destroy();
      if (state.mode !== 'up') return;
      const onward = connect(target, '127.0.0.1');
      keep(onward);
      socket.pipe(onward).pipe(socket);
      socket.on('close', () => onward.destroy());
      onward.on('close', () => socket.destroy());
    });
    return new ContractProxy(server, await listenOnFreePort(server), sockets, state);
  }

  /** Connections that are open break: what comes next meets the new mode. */
  setMode(mode: 'up' | 'down' | 'slow'): void {
    if (mode === this.#state.mode) return;
    this.#state.mode = mode;
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

export function portOf(url: string): number {
  return Number(new URL(url).port);
}
