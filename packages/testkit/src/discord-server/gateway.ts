import { EventEmitter, once } from 'node:events';
import type { ServerSocket } from '../websocket-server.ts';
import { isObject, type Json } from './limits.ts';

const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalid: 9,
  hello: 10,
  ack: 11,
};
const APPLICATION = '700000000000000001';

interface Session {
  readonly id: string;
  readonly events: { readonly seq: number; readonly name: string; readonly data: Json }[];
  socket: ServerSocket | undefined;
}

/** The gateway: a session survives its connections; what it missed comes again when it is resumed. */
export class DiscordGateway {
  /** sessions that were begun, and those that were taken up again */
  identified = 0;
  resumed = 0;
  readonly #token: string;
  readonly #sessions = new Map<string, Session>();
  readonly #sockets = new Set<ServerSocket>();
  readonly #changes = new EventEmitter();
  #url = '';

  constructor(token: string) {
    this.#token = token;
  }

  set url(url: string) {
    this.#url = url;
  }

  connect(socket: ServerSocket): void {
    socket.send({ op: OP.hello, d: { heartbeat_interval: 45_000 }, s: null, t: null });
    let session: Session | undefined;
    this.#sockets.add(socket);
    socket.onClose = () => {
      this.#sockets.delete(socket);
      if (session?.socket === socket) session.socket = undefined;
    };
    socket.onText = (text) => {
      const message: unknown = JSON.parse(text);
      if (!isObject(message)) return;
      const data = isObject(message.d) ? message.d : {};
      if (message.op === OP.heartbeat) socket.send({ op: OP.ack, d: null, s: null, t: null });
      else if (message.op === OP.identify) session = this.#identify(socket, data);
      else if (message.op === OP.resume) session = this.#resume(socket, data);
      else socket.close(4001, 'Unknown opcode');
    };
  }

  async connected(): Promise<void> {
    while (this.#current()?.socket === undefined) await once(this.#changes, 'connected');
  }

  /** Sends an event to the newest session; one that is not connected gets it when it resumes. */
  dispatch(name: string, data: Json): void {
    const session = this.#current();
    if (session === undefined) throw new Error('no bot is connected');
    const event = { seq: session.events.length + 1, name, data };
    session.events.push(event);
    session.socket?.send({ op: OP.dispatch, d: data, s: event.seq, t: name });
  }

  /** Discord asks the bot to connect again. */
  askToReconnect(): void {
    this.#current()?.socket?.send({ op: OP.reconnect, d: null, s: null, t: null });
  }

  /** Every connection breaks, without a word. */
  cut(): void {
    for (const socket of this.#sockets) socket.cut();
  }

  #current(): Session | undefined {
    return [...this.#sessions.values()].at(-1);
  }

  #identify(socket: ServerSocket, { token, intents, properties }: Json): Session | undefined {
    if (token !== this.#token) {
      socket.close(4004, 'Authentication failed.');
      return undefined;
    }
    if (typeof intents !== 'number' || !isObject(properties)) {
      socket.close(4002, 'Error while decoding payload.');
      return undefined;
    }
    const session: Session = { id: `session-${this.#sessions.size + 1}`, events: [], socket };
    this.#sessions.set(session.id, session);
    this.identified += 1;
    this.dispatch('READY', {
      v: 10,
      user: { id: APPLICATION, username: 'sallyport', discriminator: '0', avatar: null, bot: true },
      guilds: [],
      session_id: session.id,
      resume_gateway_url: this.#url,
      application: { id: APPLICATION, flags: 0 },
      shard: [0, 1],
    });
    this.#changes.emit('connected');
    return session;
  }

  #resume(socket: ServerSocket, { token, session_id: id, seq }: Json): Session | undefined {
    const session = this.#sessions.get(String(id));
    if (token !== this.#token || session === undefined || typeof seq !== 'number') {
      socket.send({ op: OP.invalid, d: false, s: null, t: null });
      return undefined;
    }
    session.socket = socket;
    this.resumed += 1;
    for (const event of session.events.filter((missed) => missed.seq > seq))
      socket.send({ op: OP.dispatch, d: event.data, s: event.seq, t: event.name });
    this.dispatch('RESUMED', {});
    this.#changes.emit('connected');
    return session;
  }
}

export { APPLICATION };
