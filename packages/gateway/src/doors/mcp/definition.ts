import { type AgentServices, DEFAULT_LIMITS, type DoorDefinition } from '../../servers/index.ts';
import { durationMs } from '../../shared/duration.ts';
import { lazily } from '../../shared/lazily.ts';
import type { McpDoor } from './mcp-door.ts';
import { openOAuth } from './oauth/open-oauth.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { createMcpFastPath } from './plain/node-requests.ts';
import { PlainCalls } from './plain/plain-calls.ts';
import { PlainConnections } from './plain/plain-connections.ts';
import { mcpRoutes } from './routes.ts';
import { mcpServersRoutes } from './server-routes.ts';

/** A client that lost its stream has so long to come back, in ms */
const GRACE_MS = 30_000;

/** One MCP endpoint with every tool that an agent may use. The door itself is loaded with the first client. */
export const mcpDoor = {
  name: 'mcp',
  targets: ['command', 'path', 'http', 'address', 'mcp', 'plain'],
  open(services) {
    let opened: McpDoor | undefined;
    const mcp = lazily(async () => {
      opened = await load(services);
      return opened;
    });
    return {
      agentRoutes(app) {
        const oauth = lazily(() => openOAuth(services));
        const { config, tls } = services;
        mcpRoutes(app, { mcp }, oauthRoutes(app, { oauth, config, ...(tls === undefined ? {} : { tls }) }));
      },
      operatorRoutes: (app, { mcpServers }) => mcpServersRoutes(app, mcpServers),
      shortcut(side) {
        const calls = new PlainCalls(side, { mcp, sessions: services.sessions });
        const limits = { ...DEFAULT_LIMITS, ...services.limits };
        return { intercept: createMcpFastPath(calls), front: new PlainConnections(calls, limits) };
      },
      close: () => opened?.close(),
    };
  },
} as const satisfies DoorDefinition<'mcp'>;

async function load(services: AgentServices): Promise<McpDoor> {
  const { sessions, version, config, heartbeatMs, log } = services;
  const [{ calls, servers }, { McpDoor }] = await Promise.all([
    services.tools.open(),
    import('./mcp-door.ts'),
  ]);
  return new McpDoor({
    ...{ calls, servers, sessions, version, heartbeatMs, graceMs: GRACE_MS },
    patienceMs: () => durationMs(config.config.mcp.wait),
    onProblem: (error, what) => log.warn({ err: error }, what),
  });
}
