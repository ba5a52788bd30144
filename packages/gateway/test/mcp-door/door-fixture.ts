import { createServer, request as httpRequest } from 'node:http';
import {
  closeServer,
  listenOnFreePort,
  MCP_FIXTURE_PROGRAM,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '@sallyport/testkit';

export interface DoorConfig {
  /** lines of the agent `dev`, below `agents: dev:` */
  readonly agent?: string;
  /** rules of the agent */
  readonly permissions?: readonly string[];
  readonly exceptions?: readonly string[];
  /** arguments of the server `fix` */
  readonly args?: readonly string[];
  /** more of the top level */
  readonly more?: string;
}

/** A config with the fixture server as `fix`, whose tools may be called without asking anybody. */
export function doorConfig({ agent, permissions, exceptions, args = [], more }: DoorConfig = {}): string {
  return `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [member] } }
    mode: cautious
    exceptions: ${JSON.stringify(exceptions ?? ['mcp:*'])}
roles:
  member: { allow: ["agent:*", "tool:*", "approve:*"] }
agents:
  dev:
    permissions: ${JSON.stringify(permissions ?? ['allow:*'])}
${agent ?? ''}
mcp_servers:
  - name: fix
    executable: ${JSON.stringify(process.execPath)}
    sandbox: none
    args: ${JSON.stringify([MCP_FIXTURE_PROGRAM, ...args])}
${more ?? ''}
`;
}

export async function startDoor(
  config: DoorConfig = {},
  options: Omit<TestGatewayOptions, 'config'> = {},
): Promise<TestGateway> {
  return startTestGateway({ ...options, config: doorConfig(config) });
}

export interface Relay extends AsyncDisposable {
  readonly url: string;
}

/** Adds a session's token to whatever passes: for clients that cannot send one. */
export async function relayWith(token: string, target: string): Promise<Relay> {
  const upstream = new URL(target);
  const server = createServer((request, response) => {
    const outgoing = httpRequest(
      {
        host: upstream.hostname,
        port: upstream.port,
        path: request.url,
        method: request.method,
        headers: { ...request.headers, authorization: `Bearer ${token}` },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    request.pipe(outgoing);
  });
  const port = await listenOnFreePort(server);
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => closeServer(server) };
}
