import { EventEmitter, once } from 'node:events';

import type { ServerSocket } from '../websocket-server.ts';
import { isObject, type Json } from './block-kit.ts';

/** Three seconds at Slack; a busy test machine gets four times as long. */
const ACK_MS = 12_000;

/** Socket mode: what Slack sends to an app goes in envelopes, each of which the app acknowledges in three seconds. */
export class Envelopes {
  readonly #sockets = new Set<ServerSocket>();
  readonly #waiting = new Map<string, (payload: Json) => void>();
  readonly #changes = new EventEmitter();
  /** connections so far */
  connections = 0;
  #next = 1;

  get isConnected(): boolean {
    return this.#sockets.size > 0;
  }

  connect(socket: ServerSocket): void {
    this.#sockets.add(socket);
    this.connections += 1;
    socket.onClose = () => void this.#sockets.delete(socket);
    socket.onText = (text) => {
      const message: unknown = JSON.parse(text);
      if (!isObject(message)) return;
      const id = String(message.envelope_id);
      this.#waiting.get(id)?.(isObject(message.payload) ? message.payload : {});
      this.#waiting.delete(id);
    };
    socket.send({ type: 'hello', num_connections: this.#sockets.size, connection_info: { app_id: 'A1' } });
    this.#changes.emit('connected');
  }

  /** Waits for the app to be there; at once when it is. */
  async connected(): Promise<void> {
    while (!this.isConnected) await once(this.#changes, 'connected');
  }

  /** Resolves with what the app acknowledged with; rejects when it did not in time. */
  async send(type: 'interactive' | 'events_api', payload: Json): Promise<Json> {
    await this.connected();
    const [socket] = this.#sockets;
    const id = `env-${this.#next++}`;
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    const timer = setTimeout(() => reject(new Error(`the app did not acknowledge a \`${type}\``)), ACK_MS);
    this.#waiting.set(id, resolve);
    socket?.send({ envelope_id: id, type, accepts_response_payload: type === 'interactive', payload });
    return promise.finally(() => clearTimeout(timer));
  }

  /** Slack recycles a connection: it says so, and the app is to open another. */
  refresh(): void {
    for (const socket of this.#sockets) socket.send({ type: 'disconnect', reason: 'refresh_requested' });
  }

  /** Every connection breaks, without a word. */
  cut(): void {
    for (const socket of this.#sockets) socket.cut();
    this.#sockets.clear();
  }
}
