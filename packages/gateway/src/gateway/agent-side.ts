import { requireSession } from '../servers/agent-auth.ts';
import type { AgentServices } from '../servers/services.ts';
import { type App, createBaseApp } from '../servers/base-app.ts';
import { baseOptions } from '../servers/base-options.ts';
import { DEFAULT_LIMITS } from '../servers/http-server.ts';
import { createMcpFastPath } from '../doors/mcp/plain/node-requests.ts';
import { PlainCalls } from '../doors/mcp/plain/plain-calls.ts';
import { PlainConnections } from '../doors/mcp/plain/plain-connections.ts';
import { allowRuleRoutes } from '../doors/api/allow-rules.ts';
import { approvalRoutes } from '../doors/api/approvals.ts';
import { healthRoutes } from '../servers/routes/health.ts';
import { hookRoutes } from '../doors/hook/routes.ts';
import { inboxRoutes } from '../doors/api/inbox.ts';
import { mcpRoutes } from '../doors/mcp/routes.ts';
import { oauthRoutes } from '../doors/mcp/oauth/routes.ts';
import { openApiRoutes } from '../servers/routes/openapi.ts';
import { ownSessionRoutes } from '../servers/routes/own-session.ts';
import { sealRoutes } from '../doors/seal/routes.ts';

/**
 * What agents reach. A new route is one file in `routes/` and one line here.
 *
 * SECURITY: nothing that decides, configures or reads about others may ever be added here [ID-1].
 */
export async function createAgentApp(services: AgentServices): Promise<App> {
  const options = baseOptions('agent', services);
  const app = await createBaseApp({
    ...options,
    intercept: createMcpFastPath(new PlainCalls(options, services)),
  });
  requireSession(app, services.sessions);
  healthRoutes(app, 'agent', services);
  openApiRoutes(app);
  ownSessionRoutes(app, services);
  approvalRoutes(app, services);
  allowRuleRoutes(app, services);
  mcpRoutes(app, services, oauthRoutes(app, services));
  hookRoutes(app, services);
  sealRoutes(app, services);
  inboxRoutes(app, { inbox: services.approvals.inbox, secret: services.inboxSecret });
  return app;
}

/** A shorter way to the MCP door of that app, for its port. */
export function createPlainConnections(services: AgentServices): PlainConnections {
  const calls = new PlainCalls(baseOptions('agent', services), services);
  return new PlainConnections(calls, { ...DEFAULT_LIMITS, ...services.limits });
}
