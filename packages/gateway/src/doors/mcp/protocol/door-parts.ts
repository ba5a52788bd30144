import type { JsonObject } from '@sallyport/protocol';
import type { AccessRequests, ToolCalls } from '../../../calls/index.ts';
import type { McpServers } from '../../../executors/index.ts';
import type { SessionFacts, Sessions } from '../../../identity/index.ts';
import type { HttpAnswer } from '../../../shared/http-message.ts';
import type { Exchange } from './exchange.ts';
import type { McpClient } from './mcp-client.ts';
import type { ParkedCalls } from './parked-calls.ts';

export interface McpDoorParts {
  readonly calls: ToolCalls;
  readonly access: Pick<AccessRequests, 'call'>;
  readonly servers: Pick<McpServers, 'get' | 'ofTenant' | 'nameOf' | 'onChange' | 'dropPeer'>;
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

/** One HTTP request to this door, after its session is known. */
export interface McpCall {
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

/** What a method is answered with. */
export interface MethodCall {
  readonly client: McpClient;
  readonly method: string;
  readonly params: JsonObject;
  readonly exchange: Exchange;
}

export interface MethodParts extends McpDoorParts {
  readonly parked: ParkedCalls;
}
