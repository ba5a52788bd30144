import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from '../../../servers/index.ts';
import { PlainConnection, type PlainConnectionParts } from './plain-connection.ts';
import type { PlainEntrance } from './plain-entrance.ts';

/** What node adds to the time that it tells clients, in ms: theirs began a little later. */
const KEEP_ALIVE_SLACK_MS = 1_000;

/**
 * Stands before node's HTTP server and answers plain messages to the MCP door, on connections that brought nothing else
 * so far: node's server takes as long for one as everything that happens to it here. Everything else goes to that
 * server as it came, which is why this has no answers of its own but those of the door.
 */
export class PlainConnections {
  readonly #entrance: PlainEntrance;
  readonly #limits: HttpLimits;
  // process-local: connections of this process
  readonly #open = new Set<PlainConnection>();
  #sweeping: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(entrance: PlainEntrance, limits: HttpLimits) {
    this.#entrance = entrance;
    this.#limits = limits;
  }

  /** From now on connections of this server come here first. */
  standBefore(server: Server, isTls: boolean): void {
    const event = isTls ? 'secureConnection' : 'connection';
    const [serve, ...others] = server.listeners(event);
    // SECURITY: whoever else listens there would get bytes that are read here.
    if (serve === undefined || others.length > 0)
      throw new Error('node:http takes its connections in another way');
    const handOn = (socket: Socket): void => void Reflect.apply(serve, server, [socket]);
    server.removeAllListeners(event);
    const parts: PlainConnectionParts = {
      ...{ entrance: this.#entrance, limits: this.#limits, handOn },
      isStopping: () => this.#isStopping,
      onGone: (connection) => this.#open.delete(connection),
    };
    server.on(event, (socket: Socket) => this.#open.add(new PlainConnection(socket, parts)));
    const { headersTimeoutMs, requestTimeoutMs } = this.#limits;
    const every = Math.min(1_000, headersTimeoutMs, requestTimeoutMs);
    this.#sweeping = setInterval(() => this.#sweep(server), every).unref();
  }

  /** Ends what is not in use; a message that is under way is the last of its connection. */
  close(): void {
    this.#isStopping = true;
    clearInterval(this.#sweeping);
    for (const { state, socket } of this.#open) if (state === 'new' || state === 'idle') socket.destroy();
  }

  /** Cuts every connection now. */
  cut(): void {
    this.close();
    for (const { socket } of this.#open) socket.destroy();
  }

  /** SECURITY: who says nothing keeps no place for long, by the same times as at node's server. */
  #sweep(server: Server): void {
    const now = performance.now();
    const { headersTimeoutMs, requestTimeoutMs, keepAliveTimeoutMs } = this.#limits;
    for (const connection of this.#open) {
      const age = connection.ageAt(now);
      if (connection.state === 'idle' && age >= keepAliveTimeoutMs + KEEP_ALIVE_SLACK_MS)
        connection.socket.destroy();
      else if (
        (connection.state === 'new' && age >= headersTimeoutMs) ||
        (connection.state === 'body' && age >= requestTimeoutMs)
      )
        server.emit('clientError', slow(), connection.socket);
    }
  }
}

/** What node's server says of a request that does not come. */
function slow(): Error {
  return Object.assign(new Error('nothing came'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}
