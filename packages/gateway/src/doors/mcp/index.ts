import { credentialsOfAgent, findAgent } from '../../config/index.ts';
import { type AgentServices, DEFAULT_LIMITS, type DoorDefinition } from '../../servers/index.ts';
import { durationMs } from '../../shared/duration.ts';
import { lazily } from '../../shared/one-at-a-time.ts';
import type { OAuthDoor } from './oauth/oauth-door.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { PlainConnections } from './plain/plain-connections.ts';
import { PlainEntrance } from './plain/plain-entrance.ts';
import type { McpDoor } from './protocol/mcp-door.ts';
import { mcpRoutes } from './protocol/routes.ts';
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
        mcpRoutes(app, mcp, oauthRoutes(app, { oauth, config, ...(tls === undefined ? {} : { tls }) }));
      },
      operatorRoutes: (app, { mcpServers }) => mcpServersRoutes(app, mcpServers),
      front(side) {
        const entrance = new PlainEntrance(side, { mcp, sessions: services.sessions });
        return new PlainConnections(entrance, { ...DEFAULT_LIMITS, ...services.limits });
      },
      close: () => opened?.close(),
    };
  },
} as const satisfies DoorDefinition<'mcp'>;

async function load(services: AgentServices): Promise<McpDoor> {
  const { sessions, version, config, heartbeatMs, log } = services;
  const [{ calls, access, servers }, { McpDoor }] = await Promise.all([
    services.tools.open(),
    import('./protocol/mcp-door.ts'),
  ]);
  return new McpDoor({
    ...{ calls, access, servers, sessions, version, heartbeatMs, graceMs: GRACE_MS },
    patienceMs: () => durationMs(config.config.mcp.wait),
    onProblem: (error, what) => log.warn({ err: error }, what),
  });
}

/** OAuth for the MCP door, of the tenant that is always there; loaded when the first program asks. */
async function openOAuth(services: AgentServices): Promise<OAuthDoor> {
  const { config, gate, clock, log, stopping, sessions, trail, coordination, systemTenant } = services;
  const { OAuthDoor } = await import('./oauth/oauth-door.ts');
  return new OAuthDoor({
    ...{ gate, clock, stopping, sessions, trail, coordination, tenant: systemTenant },
    key: services.clientIdKey(),
    principalOf(wanted) {
      const tenant = config.config.tenants[systemTenant];
      const agent = wanted ?? tenant?.default_agent;
      const user = tenant?.default_user;
      if (agent === undefined || user === undefined) return undefined;
      if (findAgent(config.config, systemTenant, agent) === undefined) return undefined;
      return { tenant: systemTenant, user, agent };
    },
    credentialsOf: ({ tenant, agent }) => credentialsOfAgent(config.config, tenant, agent),
    onProblem: (error, what = 'a request for a session could not be carried on') =>
      log.error({ err: error }, what),
  });
}
