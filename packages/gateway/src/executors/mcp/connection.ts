import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { isObject, RPC, RpcError, type RpcId } from '../../shared/json-rpc.ts';
import { FloodGuard, type McpLimits } from './limits.ts';
import type { Wire, WireFault } from './wire.ts';

/** Questions of one server that wait for an answer at the same time. */
const MOST_QUESTIONS = 64;

export interface RequestOptions {
  /** aborts: the server is told that the request is cancelled, and nobody waits for its answer */
  readonly signal?: AbortSignal | undefined;
  /** told to the server when `signal` aborts */
  readonly timeoutMs: number;
  /** progress that the server reports for this request, without the token */
  readonly onProgress?: ((progress: JsonObject) => void) | undefined;
  /** handed back when the server asks something while this is under way */
  readonly context?: unknown;
}

/** Who hears what a server says by itself. */
export interface ConnectionListener {
  onRequest(
    method: string,
    params: JsonObject | undefined,
    context: unknown,
    signal: AbortSignal,
  ): Promise<JsonObject>;
  onNotification(method: string, params: JsonObject | undefined, context: unknown): void;
  onClosed(end: { readonly fault?: WireFault; readonly reason: string }): void;
}

interface Pending {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
  readonly method: string;
  readonly onProgress: ((progress: JsonObject) => void) | undefined;
  readonly context: unknown;
  restartTimer(): void;
}

/**
 * JSON-RPC with one server over one wire: gives each request an id of its own, brings answers, progress and questions
 * to whoever they are for, and forgets nothing on the way out.
 *
 * The SDK's `Client` is not used here: it would parse every result against a schema, and drop what it does not know,
 * on the way through a gateway that passes on what it gets.
 */
export class Connection {
  readonly #server: string;
  readonly #wire: Wire;
  readonly #listener: ConnectionListener;
  // process-local: requests on one connection of this process
  readonly #pending = new Map<number, Pending>();
  // process-local: requests on one connection of this process
  readonly #questions = new Map<RpcId, AbortController>();
  readonly #unasked: FloodGuard;
  #nextId = 1;
  #closed: SallyportError | undefined;

  constructor(server: string, wire: Wire, listener: ConnectionListener, limits: McpLimits) {
    this.#server = server;
    this.#wire = wire;
    this.#listener = listener;
    this.#unasked = new FloodGuard(limits.unaskedMessages, limits.windowMs);
  }

  get pid(): number | undefined {
    return this.#wire.pid;
  }

  get isOpen(): boolean {
    return this.#closed === undefined;
  }

  /** requests that wait for an answer */
  get waiting(): number {
    return this.#pending.size;
  }

  async open(): Promise<void> {
    await this.#wire.open({
      onMessage: (message) => this.#take(message),
      onClose: (end) => this.#end(end),
    });
  }

  setProtocolVersion(version: string): void {
    this.#wire.setProtocolVersion?.(version);
  }

  /**
   * Rejects with an `RpcError` for an error of the server, with `UpstreamTimeout` when no answer comes in time,
   * `ToolServerUnavailable` when the connection ends first, and the reason of `signal` when that aborts.
   */
  request(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<JsonObject> {
    const { signal, timeoutMs, onProgress, context } = options;
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const cancel = (reason: string, error: Error): void => {
        settle();
        reject(error);
        void this.#send({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: id, reason },
        });
      };
      const onTimeout = (): void => cancel('timeout', this.#late(method, timeoutMs));
      let timer = setTimeout(onTimeout, timeoutMs);
      const onAbort = (): void => cancel('the caller left', asError(signal?.reason));
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#pending.delete(id);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, {
        method,
        onProgress,
        context,
        resolve(result) {
          settle();
          resolve(result);
        },
        reject(error) {
          settle();
          reject(error);
        },
        restartTimer() {
          clearTimeout(timer);
          timer = setTimeout(onTimeout, timeoutMs);
        },
      });
      const asked = withOwnToken(params, onProgress === undefined ? undefined : id);
      const message = {
        jsonrpc: '2.0' as const,
        id,
        method,
        ...(asked === undefined ? {} : { params: asked }),
      };
      const lost = (reason: string): void => this.#pending.get(id)?.reject(this.#gone(reason));
      try {
        // A wire that is full says so later: the request is on its way all the same.
        this.#wire
          .send(message, { signal, onLost: lost, isAlone: this.#pending.size === 1 })
          ?.catch((error: unknown) => lost(messageOf(error)));
      } catch (error) {
        lost(messageOf(error));
      }
    });
  }

  notify(method: string, params?: JsonObject): void {
    void this.#send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  async close(reason: string): Promise<void> {
    this.#end({ reason });
    await this.#wire.close();
  }

  #take(message: unknown): void {
    if (this.#closed !== undefined) return;
    const isRpc = isObject(message) && message.jsonrpc === '2.0';
    const isAnswer = isRpc && typeof message.id === 'number' && this.#pending.has(message.id);
    // SECURITY: one server that never stops talking must not take the gateway's time from all others.
    if (!isAnswer && !this.#unasked.take(1)) {
      this.#end({ fault: 'flood', reason: 'it sent too much that nobody asked for' });
      void this.#wire.close('at-once');
    }
    if (!isRpc || this.#closed !== undefined) return;
    const { id, method, params } = message;
    if (typeof method === 'string') {
      if (params !== undefined && !isObject(params)) return;
      if (id === undefined) this.#onNotification(method, params);
      else if (typeof id === 'string' || typeof id === 'number') void this.#onQuestion(id, method, params);
    } else if (typeof id === 'number') this.#onAnswer(id, message);
  }

  #onAnswer(id: number, { result, error }: JsonObject): void {
    // An answer to nothing that was asked (a wrong id, or one that came too late) is nobody's.
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (isObject(error)) {
      const { code, message, data } = error;
      pending.reject(
        new RpcError({
          code: typeof code === 'number' ? code : RPC.internal,
          message: typeof message === 'string' ? message : 'the server gave an error without a message',
          ...(data === undefined ? {} : { data }),
        }),
      );
    } else if (isObject(result)) pending.resolve(result);
    else pending.reject(this.#gone('it gave an answer that is none'));
  }

  #onNotification(method: string, params: JsonObject | undefined): void {
    if (method === 'notifications/progress') {
      const { progressToken, ...progress } = params ?? {};
      const pending = typeof progressToken === 'number' ? this.#pending.get(progressToken) : undefined;
      pending?.restartTimer();
      pending?.onProgress?.(progress);
    } else if (method === 'notifications/cancelled') {
      const id = params?.requestId;
      if (typeof id === 'string' || typeof id === 'number') this.#questions.get(id)?.abort();
    } else this.#listener.onNotification(method, params, this.#newestContext());
  }

  async #onQuestion(id: RpcId, method: string, params: JsonObject | undefined): Promise<void> {
    if (method === 'ping') return this.#send({ jsonrpc: '2.0', id, result: {} });
    if (this.#questions.size >= MOST_QUESTIONS || this.#questions.has(id))
      return this.#send({
        jsonrpc: '2.0',
        id,
        error: { code: RPC.internal, message: 'too many open requests' },
      });
    const asked = new AbortController();
    this.#questions.set(id, asked);
    try {
      const result = await this.#listener.onRequest(method, params, this.#newestContext(), asked.signal);
      await this.#send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      await this.#send({ jsonrpc: '2.0', id, error: errorBody(error) });
    } finally {
      this.#questions.delete(id);
    }
  }

  #newestContext(): unknown {
    let newest: unknown;
    for (const { context } of this.#pending.values()) newest = context ?? newest;
    return newest;
  }

  /** What is said by the way must not fail anything. */
  async #send(message: Parameters<Wire['send']>[0]): Promise<void> {
    if (this.#closed !== undefined) return;
    try {
      await this.#wire.send(message);
    } catch {
      // The wire says by itself when it is gone.
    }
  }

  #end(end: { readonly fault?: WireFault; readonly reason: string }): void {
    if (this.#closed !== undefined) return;
    const error =
      end.fault === 'too-large'
        ? new SallyportError('OutputSizeLimitExceeded', {
            message: `the tool server \`${this.#server}\` sent a message that is larger than allowed`,
            hint: 'ask for less at once',
          })
        : this.#gone(end.reason);
    this.#closed = error;
    for (const pending of [...this.#pending.values()]) pending.reject(error);
    for (const asked of this.#questions.values()) asked.abort();
    this.#listener.onClosed(end);
  }

  #gone(reason: string): SallyportError {
    return new SallyportError('ToolServerUnavailable', {
      message: `the tool server \`${this.#server}\` is gone: ${reason}`,
    });
  }

  #late(method: string, timeoutMs: number): SallyportError {
    return new SallyportError('UpstreamTimeout', {
      message: `the tool server \`${this.#server}\` did not answer \`${method}\` within ${timeoutMs / 1000} s`,
    });
  }
}

/** A client's own token means nothing here: it might be that of another request. */
function withOwnToken(params: JsonObject | undefined, token: number | undefined): JsonObject | undefined {
  const given = params?._meta;
  const meta = isObject(given) ? given : undefined;
  if (token === undefined && meta?.progressToken === undefined) return params;
  const { progressToken: _theirs, ...rest } = meta ?? {};
  return { ...params, _meta: token === undefined ? rest : { ...rest, progressToken: token } };
}

function errorBody(error: unknown): {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonObject[string];
} {
  if (error instanceof RpcError)
    return {
      code: error.code,
      message: error.message,
      ...(error.data === undefined ? {} : { data: error.data }),
    };
  // SECURITY: what went wrong inside the gateway is not the server's business.
  return { code: RPC.methodNotFound, message: 'nobody here answers that' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it cannot be reached';
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted');
}
