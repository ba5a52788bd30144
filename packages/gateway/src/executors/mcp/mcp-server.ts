import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { RPC, RpcError } from '../../shared/json-rpc.ts';
import { redeemPermit } from '../../shared/permit.ts';
import type { ToolJob } from '../tools/tool-path.ts';
import type { Catalogue } from './catalogue.ts';
import type { Cleaner } from './cleaner.ts';
import { connect, listTools, type Ready, type ServerHello } from './connect.ts';
import type { Connection, ConnectionListener } from './connection.ts';
import type { McpLimits } from './limits.ts';
import type { McpPeer } from './peer.ts';
import { PeerConnections } from './peer-connections.ts';
import { type ServerStatus, Supervisor } from './supervisor.ts';
import type { Wire } from './wire.ts';

/** A way to the server, ready to be opened, and what must not come back over it. */
export interface Launch {
  readonly wire: Wire;
  readonly cleaner: Cleaner;
}

export interface McpServerParts {
  readonly name: string;
  readonly limits: McpLimits;
  /** how long a request may take, in ms; progress begins it anew */
  readonly timeoutMs: number;
  readonly health: { readonly intervalMs: number; readonly method: 'ping' | 'tools/list' };
  readonly catalogue: Catalogue;
  /** Resolves the credentials and makes a new wire. Rejects when a credential cannot be had. */
  readonly launch: () => Promise<Launch>;
  readonly onStarted: () => void;
  readonly onFailed: (reason: string, pauseMs: number) => void;
}

export interface ServerRequestOptions {
  /** the client on whose connection it is asked; the gateway's own connection when absent */
  readonly peer?: McpPeer | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: JsonObject) => void) | undefined;
  /** comes back in `FromServer.context` while this request is under way */
  readonly context?: unknown;
}

/** A call from an MCP client: on the client's own connection to the server. */
export interface McpToolJob extends ToolJob {
  readonly peer?: McpPeer;
  /** `_meta` of the client's request; its progress token is replaced */
  readonly meta?: JsonObject;
  /** comes back in `FromServer.context` while the call is under way */
  readonly context?: unknown;
}

/** Not for clients: the handshake is the gateway's, and tools go through their own way, with a permit. */
const CLOSED_METHODS = new Set(['initialize', 'tools/call', 'tools/list']);

/**
 * One MCP server: kept running over a connection of the gateway's own, and reached by each MCP client over a
 * connection of its own.
 *
 * Everything that comes back is bounded and free of the server's credentials [TO-9].
 */
export class McpServer {
  readonly name: string;
  readonly #parts: McpServerParts;
  readonly #supervisor: Supervisor<Ready>;
  readonly #peers: PeerConnections;
  /** of each connection its own: a credential that was rotated is another one in a process that was started later */
  readonly #cleaners = new WeakMap<Connection, Cleaner>();

  constructor(parts: McpServerParts) {
    this.name = parts.name;
    this.#parts = parts;
    const { peers: most, backoffMs, longestBackoffMs } = parts.limits;
    this.#peers = new PeerConnections({ server: parts.name, most, backoffMs, longestBackoffMs });
    this.#supervisor = new Supervisor({
      limits: parts.limits,
      open: (onClosed, signal) => this.#openOwn(onClosed, signal),
      close: ({ connection }, reason) => connection.close(reason),
      check: (running) => this.#checkHealth(running),
      checkEveryMs: parts.health.intervalMs,
      onStarted: parts.onStarted,
      onFailed: parts.onFailed,
    });
  }

  get status(): ServerStatus {
    const { status } = this.#supervisor;
    if (status !== 'Running') return status;
    const { catalogue } = this.#parts;
    return catalogue.tools.size === 0 && catalogue.pending().length > 0 ? 'Quarantined' : 'Running';
  }

  get lastError(): string | undefined {
    return this.#supervisor.lastError;
  }

  get restarts(): number {
    return this.#supervisor.restarts;
  }

  get clients(): number {
    return this.#peers.size;
  }

  get pid(): number | undefined {
    return this.#supervisor.current?.connection.pid;
  }

  /** What it said in its handshake; undefined while it is not running. Its `instructions` here are not accepted ones. */
  get hello(): Omit<ServerHello, 'instructions'> | undefined {
    return this.#supervisor.current?.hello;
  }

  /** Accepted instructions. */
  get instructions(): string | undefined {
    return this.#parts.catalogue.instructions;
  }

  get catalogue(): Catalogue {
    return this.#parts.catalogue;
  }

  start(): void {
    this.#supervisor.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#supervisor.stop(), this.#peers.dropAll('the server is stopped')]);
  }

  /** Ends every connection and starts anew, without a pause. */
  async restart(): Promise<void> {
    await this.#peers.dropAll('the server is restarted');
    await this.#supervisor.restart();
  }

  /**
   * Any request but `initialize`, `tools/list` and `tools/call`. Rejects with `RpcError` for the server's own error,
   * `ToolServerUnavailable`, `UpstreamTimeout`, `OutputSizeLimitExceeded`, or the reason of `signal`.
   */
  async request(
    method: string,
    params: JsonObject | undefined,
    options: ServerRequestOptions = {},
  ): Promise<JsonObject> {
    // SECURITY: a call of a tool without the gate's permit, or a list with what nobody accepted [GA-1, TO-2].
    if (CLOSED_METHODS.has(method)) throw new SallyportError('NotAdmitted');
    return this.#ask(method, params, options);
  }

  /**
   * `tools/call`, by the name that the server has for the tool. Rejects as `request` does.
   *
   * SECURITY: it takes the permit itself: whoever holds a server cannot call a tool without the gate [GA-1].
   */
  async callTool(tool: string, job: McpToolJob): Promise<JsonObject> {
    const { action, verdict, signal, onProgress, peer, meta, context } = job;
    redeemPermit(verdict, action);
    const params = {
      name: tool,
      arguments: action.input,
      ...(meta === undefined ? {} : { _meta: meta }),
    };
    return this.#ask('tools/call', params, { signal, onProgress, peer, context });
  }

  async #ask(
    method: string,
    params: JsonObject | undefined,
    options: ServerRequestOptions,
  ): Promise<JsonObject> {
    const { peer, signal, onProgress, context } = options;
    const found = this.#connectionFor(peer);
    const connection = found instanceof Promise ? await found : found;
    const cleaner = this.#cleanerOf(connection);
    const cleaned =
      onProgress === undefined ? undefined : (told: JsonObject) => onProgress(cleaner.clean(told));
    try {
      const answer = await connection.request(method, params, {
        timeoutMs: this.#parts.timeoutMs,
        signal,
        onProgress: cleaned,
        context,
      });
      return cleaner.clean(answer);
    } catch (error) {
      throw error instanceof RpcError ? cleanError(error, cleaner) : error;
    }
  }

  /** A notification of a client (`roots/list_changed`), on its connection if it has one. */
  notify(method: string, params: JsonObject | undefined, peer: McpPeer): void {
    this.#peers.peek(peer.id)?.notify(method, params);
  }

  /** The client is gone, and with it its connection. */
  async dropPeer(peer: string): Promise<void> {
    await this.#peers.drop(peer, 'its client left');
  }

  #connectionFor(peer: McpPeer | undefined): Connection | Promise<Connection> {
    const { current } = this.#supervisor;
    if (current === undefined || this.status !== 'Running') throw this.#notRunning();
    return peer === undefined ? current.connection : this.#peers.of(peer.id, () => this.#openFor(peer));
  }

  async #openOwn(onClosed: (reason: string) => void, signal: AbortSignal): Promise<Ready> {
    const { wire, cleaner } = await this.#parts.launch();
    let ready: Ready | undefined;
    const listener: ConnectionListener = {
      onRequest: async () => {
        throw new RpcError({ code: RPC.methodNotFound, message: 'there is no client on this connection' });
      },
      onNotification: (method) => {
        if (method === 'notifications/tools/list_changed' && ready !== undefined)
          this.#lookAgain(ready.connection, undefined, ready.hello);
      },
      onClosed: ({ reason }) => onClosed(reason),
    };
    const { name, limits } = this.#parts;
    ready = await connect({ server: name, wire, listener, limits, signal });
    this.#cleaners.set(ready.connection, cleaner);
    try {
      await this.#look(ready.connection, undefined, ready.hello);
    } catch (error) {
      await ready.connection.close('its tools could not be read');
      throw error;
    }
    return ready;
  }

  async #openFor(peer: McpPeer): Promise<Connection> {
    const { name, limits } = this.#parts;
    const { wire, cleaner } = await this.#parts.launch();
    let ready: Ready | undefined;
    const told = (method: string, params: JsonObject | undefined, context: unknown) => ({
      server: name,
      method,
      params: params === undefined ? undefined : cleaner.clean(params),
      context,
    });
    const listener: ConnectionListener = {
      onRequest: (method, params, context, signal) =>
        peer.onRequest(told(method, params, context), { signal }),
      onNotification: (method, params, context) => {
        // What its tools are now is for the catalogue to say, which tells every client.
        if (method !== 'notifications/tools/list_changed') peer.onNotification(told(method, params, context));
        else if (ready !== undefined) this.#lookAgain(ready.connection, peer.id, ready.hello);
      },
      onClosed: () => {
        this.#peers.lost(peer.id);
        this.#parts.catalogue.leave(peer.id);
      },
    };
    const { capabilities, clientInfo } = peer;
    const signal = AbortSignal.timeout(limits.startMs);
    ready = await connect({ server: name, wire, listener, limits, capabilities, clientInfo, signal });
    this.#cleaners.set(ready.connection, cleaner);
    return ready.connection;
  }

  async #checkHealth({ connection, hello }: Ready): Promise<void> {
    const { health, limits } = this.#parts;
    if (health.method === 'tools/list') await this.#look(connection, undefined, hello);
    else await connection.request('ping', undefined, { timeoutMs: limits.healthMs });
  }

  /** One look at a time: a server that says without end that its tools have changed is looked at no faster. */
  readonly #looking = new WeakMap<Connection, 'once' | 'again'>();

  #lookAgain(connection: Connection, peer: string | undefined, hello: ServerHello): void {
    if (this.#looking.has(connection)) {
      this.#looking.set(connection, 'again');
      return;
    }
    this.#looking.set(connection, 'once');
    void this.#look(connection, peer, hello)
      // What cannot be read is not shown; the next health check tells whether the server is well.
      .catch(() => undefined)
      .then(() => new Promise((resolve) => setTimeout(resolve, this.#parts.limits.lookGapMs).unref()))
      .then(() => {
        const again = this.#looking.get(connection) === 'again';
        this.#looking.delete(connection);
        if (again && connection.isOpen) this.#lookAgain(connection, peer, hello);
      });
  }

  async #look(connection: Connection, peer: string | undefined, hello: ServerHello): Promise<void> {
    const { limits, catalogue } = this.#parts;
    const tools = hello.capabilities.tools === undefined ? [] : await listTools(connection, limits);
    const cleaner = this.#cleanerOf(connection);
    const cleaned = tools.map((tool) => cleaner.clean(tool));
    await catalogue.observe({ instructions: hello.instructions, tools: cleaned, peer });
  }

  #cleanerOf(connection: Connection): Cleaner {
    const cleaner = this.#cleaners.get(connection);
    // SECURITY: nothing passes that cannot be cleaned.
    if (cleaner === undefined) throw this.#notRunning();
    return cleaner;
  }

  #notRunning(): SallyportError {
    const { status } = this;
    return new SallyportError('ToolServerUnavailable', {
      message: `the tool server \`${this.name}\` is not running (${status})`,
      ...(status === 'Failed' || status === 'Quarantined'
        ? { hint: 'this is not a refusal: the operator sees why with `sallyport servers list`' }
        : {}),
    });
  }
}

function cleanError({ code, message, data }: RpcError, cleaner: Cleaner): RpcError {
  const { data: cleaned } = data === undefined ? { data: undefined } : cleaner.clean({ data });
  return new RpcError({
    code,
    message: cleaner.cleanText(message),
    ...(cleaned === undefined ? {} : { data: cleaned }),
  });
}
