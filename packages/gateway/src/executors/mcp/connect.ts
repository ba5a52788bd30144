import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { isObject, RpcError } from '../../shared/json-rpc.ts';
import { Connection, type ConnectionListener } from './connection.ts';
import type { McpLimits } from './limits.ts';
import type { Wire } from './wire.ts';

/** Versions of the protocol whose handshake is `initialize`, newest first. */
export const PROTOCOL_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];
/** of one list of tools */
const MOST_PAGES = 100;
const OWN_INFO: JsonObject = { name: 'sallyport', version: '1' };

/** What a server said of itself in its handshake. */
export interface ServerHello {
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly instructions: string | undefined;
}

export interface ConnectOptions {
  readonly server: string;
  readonly wire: Wire;
  readonly listener: ConnectionListener;
  readonly limits: McpLimits;
  /** of the client that this connection is for; none for the gateway's own */
  readonly capabilities?: JsonObject;
  readonly clientInfo?: JsonObject | undefined;
  readonly signal: AbortSignal;
}

export interface Ready {
  readonly connection: Connection;
  readonly hello: ServerHello;
}

/** Opens a wire and shakes hands. Leaves nothing behind when that fails. */
export async function connect(options: ConnectOptions): Promise<Ready> {
  const { server, wire, listener, limits, signal, capabilities = {}, clientInfo = OWN_INFO } = options;
  const connection = new Connection(server, wire, listener, limits);
  try {
    await connection.open();
    const params = { protocolVersion: PROTOCOL_VERSIONS[0] ?? '', capabilities, clientInfo };
    const hello = helloOf(
      server,
      await connection.request('initialize', params, { timeoutMs: limits.startMs, signal }),
    );
    connection.setProtocolVersion(hello.protocolVersion);
    connection.notify('notifications/initialized');
    return { connection, hello };
  } catch (error) {
    await connection.close('it did not start');
    if (error instanceof SallyportError) throw error;
    const why = error instanceof RpcError ? 'it refused the handshake' : reasonOf(error);
    throw new SallyportError('ToolServerUnavailable', {
      message: `the tool server \`${server}\` cannot be started: ${why}`,
      cause: error,
    });
  }
}

/** All tools that a server lists, page by page. Rejects when there are more than anyone could accept. */
export async function listTools(connection: Connection, limits: McpLimits): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = cursor === undefined ? undefined : { cursor };
    const answer = await connection.request('tools/list', params, { timeoutMs: limits.healthMs });
    const { tools, nextCursor } = answer;
    if (Array.isArray(tools)) found.push(...tools.filter(isObject));
    if (found.length > limits.tools) break;
    if (typeof nextCursor !== 'string' || nextCursor === '') return found;
    cursor = nextCursor;
  }
  throw new SallyportError('ToolServerUnavailable', {
    message: `the tool server lists more than ${limits.tools} tools, or pages without end`,
  });
}

function helloOf(server: string, answer: JsonObject): ServerHello {
  const { protocolVersion, capabilities, serverInfo, instructions } = answer;
  if (typeof protocolVersion !== 'string' || !PROTOCOL_VERSIONS.includes(protocolVersion))
    throw new SallyportError('ToolServerUnavailable', {
      message: `the tool server \`${server}\` speaks no version of MCP that is known here`,
    });
  return {
    protocolVersion,
    capabilities: isObject(capabilities) ? capabilities : {},
    serverInfo: isObject(serverInfo) ? serverInfo : {},
    instructions: typeof instructions === 'string' && instructions !== '' ? instructions : undefined,
  };
}

function reasonOf(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such program';
  if (code === 'EACCES') return 'it may not be run';
  return code ?? 'it failed';
}
