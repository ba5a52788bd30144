import type { JsonObject } from '@sallyport/protocol';
import type { McpServer } from '../../../executors/index.ts';
import { parseJsonBody, toPublicError } from '../../../servers/index.ts';
import { isObject, RPC, RpcError, rpcError } from '../../../shared/json-rpc.ts';
import { askAllServers } from './all-servers.ts';
import { problemOf, refuse, sendJson, takes } from './answers.ts';
import type { McpCall, McpDoorParts, MethodCall, MethodParts } from './door-parts.ts';
import type { Exchange } from './exchange.ts';
import {
  agreedVersion,
  clientCapabilities,
  helloOf,
  helloOfAll,
  isKnownVersion,
  serversReady,
} from './handshake.ts';
import { type ClientMessage, errorText, readMessage, resultText, unreadable } from './json-rpc.ts';
import type { McpClient } from './mcp-client.ts';
import { McpClients } from './mcp-clients.ts';
import { ParkedCalls } from './parked-calls.ts';
import { askServer, serverOf } from './server-methods.ts';
import { callTool } from './tool-call.ts';
import { listTools } from './tool-list.ts';

/** Methods that pass to a server as they are. A method that is not here does not exist at this door. */
const PASSED: ReadonlySet<string> = new Set([
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
]);

/**
 * MCP over Streamable HTTP. Decides nothing: every call of a tool, and everything that is read of a server, goes
 * through `calls`, and so through the gate.
 */
export class McpDoor {
  readonly #parts: MethodParts;
  readonly #clients: McpClients;
  readonly #stopListening: () => void;

  constructor(parts: McpDoorParts) {
    const parked = new ParkedCalls();
    this.#parts = { ...parts, parked };
    this.#clients = new McpClients({
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
      for (const client of this.#clients.all()) client.notify('notifications/tools/list_changed', undefined);
    });
  }

  /** One message of a client, unread. However it came, this is where it is answered. */
  async post(call: McpCall, body: Uint8Array): Promise<void> {
    let message: ClientMessage;
    try {
      message = readMessage(parseJsonBody(body));
    } catch (error) {
      refuse(call, 400, error instanceof RpcError ? error : unreadable(toPublicError(error)));
      return;
    }
    if (!takes(call, 'application/json') && !takes(call, 'text/event-stream')) {
      refuse(call, 406, rpcError(RPC.invalidRequest, 'accept `application/json` and `text/event-stream`'));
      return;
    }
    if (message.kind === 'request' && message.method === 'initialize') {
      await this.#initialize(call, message);
      return;
    }
    const client = this.#find(call);
    if (client === undefined) return;
    if (message.kind === 'request') await this.#answer(client, call, message);
    else {
      if (message.kind === 'answer') client.answered(message.id, message.result, message.error);
      else this.#told(client, message.method, message.params);
      call.response.writeHead(202, { ...call.headers });
      call.response.end();
    }
  }

  /** The client listens to what no request of it is about, or comes back to a stream that it lost. */
  listen(call: McpCall): void {
    if (!takes(call, 'text/event-stream')) {
      refuse(call, 406, rpcError(RPC.invalidRequest, 'accept `text/event-stream`'));
      return;
    }
    const client = this.#find(call);
    if (client === undefined) return;
    if (!client.listen(call.response, call.headers, call.lastEventId))
      refuse(call, 404, rpcError(RPC.sessionNotFound, 'there is no such stream any more'));
  }

  /** The client is done. */
  remove(call: McpCall): void {
    const client = this.#find(call);
    if (client === undefined) return;
    this.#clients.close(client);
    call.response.writeHead(204, { ...call.headers });
    call.response.end();
  }

  close(): void {
    this.#stopListening();
    this.#clients.closeAll();
  }

  async #initialize(call: McpCall, { id, params }: ClientMessage & { kind: 'request' }): Promise<void> {
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
        refuse(call, server === undefined ? 404 : 503, rpcError(RPC.internal, problem), id);
        return;
      }
    }
    try {
      const client = this.#clients.open({
        ...{ owner, server: name, plainNames, protocolVersion, heartbeatMs, graceMs },
        capabilities: clientCapabilities(params),
        clientInfo: isObject(params.clientInfo) ? params.clientInfo : undefined,
      });
      const hello =
        server?.hello === undefined
          ? helloOfAll(protocolVersion, version)
          : helloOf(protocolVersion, server, server.hello);
      sendJson(call, 200, resultText(id, hello), { 'mcp-session-id': client.id });
    } catch (error) {
      refuse(call, 429, problemOf(error, this.#parts.onProblem), id);
    }
  }

  async #answer(
    client: McpClient,
    call: McpCall,
    { id, method, params }: ClientMessage & { kind: 'request' },
  ): Promise<void> {
    let exchange: Exchange;
    try {
      const takesStream = takes(call, 'text/event-stream');
      exchange = client.begin(id, call.response, { headers: call.headers, takesStream });
    } catch (error) {
      refuse(call, 400, problemOf(error, this.#parts.onProblem), id);
      return;
    }
    try {
      const answer = answerMethod({ client, method, params, exchange }, this.#parts);
      exchange.finish(resultText(id, answer instanceof Promise ? await answer : answer));
    } catch (error) {
      exchange.finish(errorText(id, problemOf(error, this.#parts.onProblem)));
    } finally {
      client.end(id);
    }
  }

  #told(client: McpClient, method: string, params: JsonObject): void {
    if (method === 'notifications/cancelled') client.cancel(params.requestId);
    else if (method === 'notifications/roots/list_changed') {
      const { server: name } = client.options;
      const { servers } = this.#parts;
      const told = name === undefined ? servers.ofTenant(client.owner.tenant) : [servers.get(name)];
      for (const server of told) server?.notify(method, undefined, client);
    }
  }

  /** Answers the request itself when there is no such client. */
  #find(call: McpCall): McpClient | undefined {
    const { clientId, session, server, protocolVersion } = call;
    if (protocolVersion !== undefined && !isKnownVersion(protocolVersion)) {
      refuse(call, 400, rpcError(RPC.invalidRequest, 'this version of MCP is not spoken here'));
      return undefined;
    }
    if (clientId === undefined) {
      refuse(call, 400, rpcError(RPC.invalidRequest, 'begin with `initialize`, then send `Mcp-Session-Id`'));
      return undefined;
    }
    const found = this.#clients.find(clientId, session, server);
    if (found === undefined)
      refuse(call, 404, rpcError(RPC.sessionNotFound, 'there is no such MCP session: initialize again'));
    return found;
  }
}

/** The result of one request. Throws `RpcError` or `SallyportError`. */
function answerMethod(call: MethodCall, parts: MethodParts): JsonObject | Promise<JsonObject> {
  const { method, client } = call;
  const { server } = client.options;
  switch (method) {
    case 'tools/call':
      return callTool(call, parts);
    case 'tools/list':
      return listTools(call, parts);
    case 'ping':
      return {};
    // open: any method
    default:
      if (!PASSED.has(method)) throw rpcError(RPC.methodNotFound, 'there is no such method here');
      return server === undefined
        ? askAllServers(call, parts)
        : askServer(serverOf(server, call, parts), call, parts);
  }
}
