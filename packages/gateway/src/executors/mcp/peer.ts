import type { JsonObject } from '@sallyport/protocol';

/** What came from a server while requests of a client were under way. */
export interface FromServer {
  readonly server: string;
  readonly method: string;
  readonly params: JsonObject | undefined;
  /**
   * `context` of the newest request of this client that the server has not answered: where a Streamable HTTP client
   * expects to hear it. Undefined when there is none.
   */
  readonly context: unknown;
}

/**
 * One MCP client of the gateway, as servers see it: each client connection (an `Mcp-Session-Id`, a stdio pipe) is a
 * peer of its own, and each server has a connection of its own for each peer.
 */
export interface McpPeer {
  /** its own for each client connection, never used again */
  readonly id: string;
  /** what the client declared when it was initialized: `sampling`, `elicitation`, `roots` */
  readonly capabilities: JsonObject;
  /** `{name, version}` of the client */
  readonly clientInfo?: JsonObject;
  /** `sampling/createMessage`, `elicitation/create`, `roots/list`. An `RpcError` goes to the server as it is. */
  onRequest(request: FromServer, options: { readonly signal: AbortSignal }): Promise<JsonObject>;
  /** Logs, `resources/updated`, `…/list_changed`; not progress, which goes to `onProgress` of its request. */
  onNotification(notification: FromServer): void;
}
