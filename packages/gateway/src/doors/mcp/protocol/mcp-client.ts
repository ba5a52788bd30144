import type { JsonObject } from '@sallyport/protocol';
import type { FromServer, McpPeer } from '../../../executors/index.ts';
import type { SessionFacts } from '../../../identity/index.ts';
import type { HttpAnswer } from '../../../shared/http-message.ts';
import { RPC, RpcError, type RpcId, rpcError } from '../../../shared/json-rpc.ts';
import { EventStream } from './event-stream.ts';
import { Exchange } from './exchange.ts';
import { notificationText } from './json-rpc.ts';

/** Requests of one client that are under way at once. */
const EXCHANGES_AT_MOST = 256;
/** Streams of one client that are kept, those under way apart. */
const STREAMS_AT_MOST = 64;
/** Questions to one client that wait for its answer at once. */
const QUESTIONS_AT_MOST = 64;

export interface McpClientOptions {
  /** what the client names itself by: the `Mcp-Session-Id` */
  readonly id: string;
  /** the gateway session that opened it; nobody else's requests reach it */
  readonly owner: SessionFacts;
  /** the one server that this client sees; undefined: all of them */
  readonly server: string | undefined;
  /** names of tools that every model takes, instead of `server/tool` */
  readonly plainNames: boolean;
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject | undefined;
  readonly heartbeatMs: number;
  readonly graceMs: number;
}

interface Question {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

/** sent with every answer */
type Headers = Readonly<Record<string, string>>;

/** Notifications of servers that clients get. What is not here is not passed on. */
const FROM_SERVERS: ReadonlySet<string> = new Set([
  'notifications/message',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
  'notifications/elicitation/complete',
]);
/** What servers may ask, and what a client that answers it has declared. */
const QUESTIONS: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** One client connection of the MCP door, from `initialize` to its end. To servers it is a peer of its own. */
export class McpClient implements McpPeer {
  readonly id: string;
  readonly owner: SessionFacts;
  readonly options: McpClientOptions;
  readonly capabilities: JsonObject;
  readonly clientInfo?: JsonObject;
  // process-local: requests on connections of this process
  readonly #exchanges = new Map<RpcId, Exchange>();
  // process-local: streams on connections of this process
  readonly #streams = new Map<string, { readonly stream: EventStream; readonly exchange?: Exchange }>();
  // process-local: questions on connections of this process
  readonly #questions = new Map<string, Question>();
  readonly #own: EventStream;
  readonly #ended = new AbortController();
  #nextStream = 1;
  #nextQuestion = 1;
  /** how long the client stayed, at the least, when it gave up waiting for people, in ms */
  #gaveUpAfter = Number.POSITIVE_INFINITY;
  #lastSeen = performance.now();

  constructor(options: McpClientOptions) {
    this.id = options.id;
    this.owner = options.owner;
    this.options = options;
    this.capabilities = options.capabilities;
    if (options.clientInfo !== undefined) this.clientInfo = options.clientInfo;
    this.#own = new EventStream('own', options.heartbeatMs, () => {});
    this.#streams.set(this.#own.key, { stream: this.#own });
  }

  /** aborts when the client ended it, or its gateway session ended */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get gaveUpAfter(): number {
    return this.#gaveUpAfter;
  }

  /** A client that cannot wait for people is not made to wait so long again. */
  noteGivenUp(afterMs: number): void {
    this.#gaveUpAfter = Math.min(this.#gaveUpAfter, afterMs);
  }

  /** ms since the client was last heard of; 0 while it listens or waits for an answer */
  get idleMs(): number {
    const isHere = this.#exchanges.size > 0 || this.#own.isAttached;
    return isHere ? 0 : performance.now() - this.#lastSeen;
  }

  /** Begins to answer one request. Throws `RpcError`. */
  begin(
    id: RpcId,
    response: HttpAnswer,
    { headers, takesStream }: { readonly headers: Headers; readonly takesStream: boolean },
  ): Exchange {
    this.#lastSeen = performance.now();
    if (this.#ended.signal.aborted) throw gone();
    // SECURITY: one id is one request: an answer, or a cancellation, must not reach another one.
    if (this.#exchanges.has(id)) throw rpcError(RPC.invalidRequest, 'this id is in use');
    if (this.#exchanges.size >= EXCHANGES_AT_MOST)
      throw rpcError(RPC.internal, 'too many requests of this client are under way');
    const exchange: Exchange = new Exchange({
      response,
      headers,
      takesStream,
      graceMs: this.options.graceMs,
      openStream: (onDetached) => {
        const key = `s${this.#nextStream++}`;
        const stream = new EventStream(key, this.options.heartbeatMs, onDetached);
        this.#streams.set(key, { stream, exchange });
        return stream;
      },
      closeStream: (stream) => this.#forgetStream(stream),
    });
    this.#exchanges.set(id, exchange);
    return exchange;
  }

  end(id: RpcId): void {
    this.#exchanges.delete(id);
    this.#lastSeen = performance.now();
  }

  /** The client does not want the answer any more. */
  cancel(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#exchanges.get(id)?.abort();
  }

  /** Listens to what no request is about, or comes back to a stream. False when there is no such stream. */
  listen(response: HttpAnswer, headers: Headers, lastEventId: string | undefined): boolean {
    this.#lastSeen = performance.now();
    if (lastEventId === undefined) {
      this.#own.attach(response, headers);
      return true;
    }
    const [, key = '', at = ''] = /^(own|s\d{1,9})-(\d{1,9})$/.exec(lastEventId) ?? [];
    const known = this.#streams.get(key);
    if (known === undefined) return false;
    const { stream, exchange } = known;
    if (exchange === undefined || exchange.isOver) stream.attach(response, headers, Number(at));
    else exchange.resume(response, headers, Number(at));
    return true;
  }

  /** Tells the client something, beside the request that it is about where there is one. */
  notify(method: string, params: JsonObject | undefined, about?: Exchange): void {
    const text = notificationText(method, params);
    if (about?.tell(text) !== true) this.#own.send(text);
  }

  /** A server asks the client, as far as the client said that it answers. */
  onRequest(
    { method, params, context }: FromServer,
    { signal }: { signal: AbortSignal },
  ): Promise<JsonObject> {
    const needed = QUESTIONS[method];
    if (needed !== undefined && this.capabilities[needed] !== undefined)
      return this.#ask(method, params, signal, exchangeIn(context));
    const problem = { code: RPC.methodNotFound, message: 'the client does not answer that' };
    return Promise.reject(new RpcError(problem));
  }

  /** A server tells the client something. */
  onNotification({ method, params, context }: FromServer): void {
    if (FROM_SERVERS.has(method)) this.notify(method, params, exchangeIn(context));
  }

  /** Rejects with `RpcError` for the client's error, and when it is gone. */
  #ask(
    method: string,
    params: JsonObject | undefined,
    signal: AbortSignal,
    about: Exchange | undefined,
  ): Promise<JsonObject> {
    if (this.#questions.size >= QUESTIONS_AT_MOST)
      return Promise.reject(rpcError(RPC.internal, 'too many questions wait for this client'));
    if (signal.aborted || this.#ended.signal.aborted) return Promise.reject(gone());
    const id = `sallyport-${this.#nextQuestion++}`;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const withdraw = (): void => {
      this.#questions.delete(id);
      this.notify('notifications/cancelled', { requestId: id }, about);
      reject(gone());
    };
    signal.addEventListener('abort', withdraw, { once: true });
    this.#questions.set(id, { resolve, reject });
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    if (about?.tell(text) !== true) this.#own.send(text);
    return promise.finally(() => signal.removeEventListener('abort', withdraw));
  }

  /** The client answers what it was asked. An answer to nothing is nobody's. */
  answered(id: RpcId, result: JsonObject | undefined, error: JsonObject | undefined): void {
    this.#lastSeen = performance.now();
    if (typeof id !== 'string') return;
    const question = this.#questions.get(id);
    this.#questions.delete(id);
    if (result !== undefined) question?.resolve(result);
    else {
      const { code, message, data } = error ?? {};
      question?.reject(
        new RpcError({
          code: typeof code === 'number' ? code : RPC.internal,
          message: typeof message === 'string' ? message : 'the client gave an error',
          ...(data === undefined ? {} : { data }),
        }),
      );
    }
  }

  close(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    for (const exchange of [...this.#exchanges.values()]) exchange.abort();
    for (const { reject } of this.#questions.values()) reject(gone());
    this.#questions.clear();
    this.#own.end();
    this.#streams.clear();
  }

  /** Whether a client got the end of a stream, only the client knows: it has a while to ask for it again. */
  #forgetStream({ key }: EventStream): void {
    setTimeout(() => this.#streams.delete(key), this.options.graceMs).unref();
    for (const [oldest, { exchange }] of this.#streams) {
      if (this.#streams.size <= STREAMS_AT_MOST) return;
      if (exchange?.isOver === true && oldest !== key) this.#streams.delete(oldest);
    }
  }
}

function exchangeIn(context: unknown): Exchange | undefined {
  return context instanceof Exchange ? context : undefined;
}

function gone(): RpcError {
  return new RpcError({ code: RPC.internal, message: 'the client is gone' });
}
