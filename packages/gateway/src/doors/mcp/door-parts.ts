import type { JsonObject } from '@sallyport/protocol';
import type { ToolCalls } from '../../calls/index.ts';
import type { McpPeer, McpServer } from '../../executors/index.ts';
import type { Sessions } from '../../identity/index.ts';
import type { Exchange } from './exchange.ts';
import type { McpSession } from './mcp-session.ts';
import type { ParkedCalls } from './parked-calls.ts';

/** The MCP servers as this door needs them. */
export interface ServerHouse {
  get(name: string): McpServer | undefined;
  ofTenant(tenant: string): readonly McpServer[];
  nameOf(server: string, tool: string): string | undefined;
  onChange(listener: () => void): () => void;
  dropPeer(peer: string): Promise<void>;
}

export interface McpDoorParts {
  readonly calls: ToolCalls;
  readonly servers: ServerHouse;
  readonly sessions: Pick<Sessions, 'onEnded'>;
  readonly version: string;
  /** how long a client waits for people that asks for no progress, in ms; read anew for each call */
  readonly patienceMs: () => number;
  /** time between two beats of a stream, in ms */
  readonly heartbeatMs: number;
  /** a client that lost a stream has so long to come back, in ms */
  readonly graceMs: number;
  readonly onProblem: (error: unknown, what: string) => void;
}

/** One client, as everything that answers it sees it. */
export interface Client {
  readonly session: McpSession;
  /** what servers know it by */
  readonly peer: McpPeer;
}

/** What a method is answered with. */
export interface MethodCall {
  readonly client: Client;
  readonly method: string;
  readonly params: JsonObject;
  readonly exchange: Exchange;
}

export interface MethodParts extends McpDoorParts {
  readonly parked: ParkedCalls;
}
