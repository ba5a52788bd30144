import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { type FromServer, type McpPeer, McpRpcError, type McpServer } from '../../executors/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import type { HttpAnswer } from '../../shared/http-answer.ts';
import type { McpDoorParts, MethodParts } from './door-parts.ts';
import { Exchange } from './exchange.ts';
import { agreedVersion, clientCapabilities, helloOf, helloOfAll, isKnownVersion } from './handshake.ts';
import {
  type ClientMessage,
  errorText,
  isObject,
  RPC,
  RpcProblem,
  readMessage,
  resultText,
} from './json-rpc.ts';
import type { McpSession } from './mcp-session.ts';
import { McpSessions } from './mcp-sessions.ts';
import { answerMethod } from './methods.ts';
import { ParkedCalls } from './parked-calls.ts';
import { serversReady } from './servers-ready.ts';

/** One HTTP request to this door, after its session is known. */
export interface McpHttpCall {
  readonly session: SessionFacts;
  /** the server whose own address was used */
  readonly server: string | undefined;
  readonly plainNames: boolean;
  readonly accept: string;
  /** `Mcp-Session-Id` */
  readonly clientId: string | undefined;
  /** `MCP-Protocol-Version` */
  readonly protocolVersion: string | undefined;
  readonly lastEventId: string | undefined;
  readonly response: HttpAnswer;
  /** sent with every answer */
  readonly headers: Readonly<Record<string, string>>;
}

/** Notifications of servers that clients get. What is not here is not passed on. */
const FROM_SERVERS: ReadonlySet<string> = new Set([
  'notifications/message',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
  'notifications/elicitation/complete',
]);
const QUESTIONS: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/**
 * MCP over Streamable HTTP. Decides nothing: every call of a tool, and everything that is read of a server, goes
 * through `calls`, and so through the gate.
 */
export class McpDoor {
  readonly #parts: MethodParts;
  readonly #clients: McpSessions;
  readonly #peers = new WeakMap<McpSession, McpPeer>();
  readonly #stopListening: () => void;

  constructor(parts: McpDoorParts) {
    const parked = new ParkedCalls();
    this.#parts = { ...parts, parked };
    this.#clients = new McpSessions({
      sessions: parts.sessions,
      onOwnerEnded: (owner) => parked.dropAllOf(owner),
      onClosed: ({ id }) => {
        parts.servers
          .dropPeer(id)
          .catch((error: unknown) =>
            parts.onProblem(error, 'a connection to a tool server could not be closed'),
          );
      },
    });
    this.#stopListening = parts.servers.onChange(() => {
      for (const session of this.#clients.all())
        session.notify('notifications/tools/list_changed', undefined);
    });
  }

  /** One message of a client, parsed but not looked at. */
  async post(call: McpHttpCall, body: unknown): Promise<void> {
    let message: ClientMessage;
    try {
      message = readMessage(body);
    } catch (error) {
      refuse(
        call,
        400,
        error instanceof RpcProblem ? error : new RpcProblem(RPC.invalidRequest, 'not valid'),
      );
      return;
    }
    if (!takes(call, 'application/json') && !takes(call, 'text/event-stream')) {
      refuse(
        call,
        406,
        new RpcProblem(RPC.invalidRequest, 'accept `application/json` and `text/event-stream`'),
      );
      return;
    }
    if (message.kind === 'request' && message.method === 'initialize') {
      await this.#initialize(call, message);
      return;
    }
    const session = this.#find(call);
    if (session === undefined) return;
    if (message.kind === 'request') await this.#answer(session, call, message);
    else {
      if (message.kind === 'answer') session.answered(message.id, message.result, message.error);
      else this.#told(session, message.method, message.params);
      call.response.writeHead(202, { ...call.headers });
      call.response.end();
    }
  }

  /** The client listens to what no request of it is about, or comes back to a stream that it lost. */
  listen(call: McpHttpCall): void {
    if (!takes(call, 'text/event-stream')) {
      refuse(call, 406, new RpcProblem(RPC.invalidRequest, 'accept `text/event-stream`'));
      return;
    }
    const session = this.#find(call);
    if (session === undefined) return;
    if (!session.listen(call.response, call.headers, call.lastEventId))
      refuse(call, 404, new RpcProblem(RPC.sessionNotFound, 'there is no such stream any more'));
  }

  /** The client is done. */
  remove(call: McpHttpCall): void {
    const session = this.#find(call);
    if (session === undefined) return;
    this.#clients.close(session);
    call.response.writeHead(204, { ...call.headers });
    call.response.end();
  }

  close(): void {
    this.#stopListening();
    this.#clients.closeAll();
  }

  async #initialize(call: McpHttpCall, { id, params }: ClientMessage & { kind: 'request' }): Promise<void> {
    const { session: owner, server: name, plainNames } = call;
    const { servers, version, heartbeatMs, graceMs } = this.#parts;
    const protocolVersion = agreedVersion(params);
    // A server that is about to start has tools to show in a moment.
    await serversReady(servers, owner.tenant, name);
    let server: McpServer | undefined;
    if (name !== undefined) {
      server = servers.ofTenant(owner.tenant).find((one) => one.name === name);
      if (server?.hello === undefined) {
        const problem =
          server === undefined
            ? `there is no MCP server \`${name}\``
            : `the MCP server \`${name}\` is not running`;
        refuse(call, server === undefined ? 404 : 503, new RpcProblem(RPC.internal, problem), id);
        return;
      }
    }
    try {
      const session = this.#clients.open({
        ...{ owner, server: name, plainNames, protocolVersion, heartbeatMs, graceMs },
        capabilities: clientCapabilities(params),
        clientInfo: isObject(params.clientInfo) ? params.clientInfo : undefined,
      });
      const hello =
        server?.hello === undefined
          ? helloOfAll(protocolVersion, version)
          : helloOf(protocolVersion, server, server.hello);
      sendJson(call, 200, resultText(id, hello), { 'mcp-session-id': session.id });
    } catch (error) {
      refuse(call, 429, problemOf(error, this.#parts.onProblem), id);
    }
  }

  async #answer(
    session: McpSession,
    call: McpHttpCall,
    { id, method, params }: ClientMessage & { kind: 'request' },
  ): Promise<void> {
    let exchange: Exchange;
    try {
      const takesStream = takes(call, 'text/event-stream');
      exchange = session.begin(id, call.response, { headers: call.headers, takesStream });
    } catch (error) {
      refuse(call, 400, problemOf(error, this.#parts.onProblem), id);
      return;
    }
    try {
      const client = { session, peer: this.#peerOf(session) };
      const answer = answerMethod({ client, method, params, exchange }, this.#parts);
      exchange.finish(resultText(id, answer instanceof Promise ? await answer : answer));
    } catch (error) {
      exchange.finish(errorText(id, problemOf(error, this.#parts.onProblem)));
    } finally {
      session.end(id);
    }
  }

  #told(session: McpSession, method: string, params: JsonObject): void {
    if (method === 'notifications/cancelled') session.cancel(params.requestId);
    else if (method === 'notifications/roots/list_changed') {
      const { server: name } = session.options;
      const { servers } = this.#parts;
      const told = name === undefined ? servers.ofTenant(session.owner.tenant) : [servers.get(name)];
      for (const server of told) server?.notify(method, undefined, this.#peerOf(session));
    }
  }

  /** Answers the request itself when there is no such client. */
  #find(call: McpHttpCall): McpSession | undefined {
    const { clientId, session, server, protocolVersion } = call;
    if (protocolVersion !== undefined && !isKnownVersion(protocolVersion)) {
      refuse(call, 400, new RpcProblem(RPC.invalidRequest, 'this version of MCP is not spoken here'));
      return undefined;
    }
    if (clientId === undefined) {
      refuse(
        call,
        400,
        new RpcProblem(RPC.invalidRequest, 'begin with `initialize`, then send `Mcp-Session-Id`'),
      );
      return undefined;
    }
    const found = this.#clients.find(clientId, session, server);
    if (found === undefined)
      refuse(
        call,
        404,
        new RpcProblem(RPC.sessionNotFound, 'there is no such MCP session: initialize again'),
      );
    return found;
  }

  #peerOf(session: McpSession): McpPeer {
    const known = this.#peers.get(session);
    if (known !== undefined) return known;
    const { capabilities, clientInfo } = session.options;
    const peer: McpPeer = {
      id: session.id,
      capabilities,
      ...(clientInfo === undefined ? {} : { clientInfo }),
      onRequest: ({ method, params, context }: FromServer, { signal }) => {
        const needed = QUESTIONS[method];
        if (needed === undefined || capabilities[needed] === undefined)
          return Promise.reject(
            new McpRpcError({ code: RPC.methodNotFound, message: 'the client does not answer that' }),
          );
        return session.ask(method, params, { signal, about: exchangeIn(context) });
      },
      onNotification: ({ method, params, context }: FromServer) => {
        if (FROM_SERVERS.has(method)) session.notify(method, params, exchangeIn(context));
      },
    };
    this.#peers.set(session, peer);
    return peer;
  }
}

function exchangeIn(context: unknown): Exchange | undefined {
  return context instanceof Exchange ? context : undefined;
}

function takes({ accept }: McpHttpCall, type: string): boolean {
  return accept === '' || accept.includes(type) || accept.includes('*/*');
}

/** What the client is told of a failure. SECURITY: what is not ours may hold anything, so nothing of it is told. */
function problemOf(error: unknown, onProblem: McpDoorParts['onProblem']): RpcProblem {
  if (error instanceof RpcProblem) return error;
  if (error instanceof SallyportError) {
    const { code, message, hint } = error;
    return new RpcProblem(RPC.internal, message, { code, ...(hint === undefined ? {} : { hint }) });
  }
  if (error instanceof McpRpcError) return new RpcProblem(error.code, error.message, error.data);
  if (!(error instanceof Error && error.name === 'AbortError'))
    onProblem(error, 'an MCP request failed inside');
  return new RpcProblem(RPC.internal, 'something went wrong inside the gateway');
}

function refuse(
  call: McpHttpCall,
  status: number,
  problem: RpcProblem,
  id: string | number | null = null,
): void {
  sendJson(call, status, errorText(id, problem));
}

function sendJson(
  { response, headers }: McpHttpCall,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    ...more,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
