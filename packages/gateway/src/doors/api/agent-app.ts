import { requireSession } from './agent-auth.ts';
import type { AgentServices } from './api-services.ts';
import { type App, createBaseApp } from './base-app.ts';
import { baseOptions } from './base-options.ts';
import { DEFAULT_LIMITS } from './http-server.ts';
import { createMcpFastPath } from './mcp-fast-path.ts';
import { PlainCalls } from './plain/plain-calls.ts';
import { PlainConnections } from './plain/plain-connections.ts';
import { allowRuleRoutes } from './routes/allow-rules.ts';
import { approvalRoutes } from './routes/approvals.ts';
import { healthRoutes } from './routes/health.ts';
import { hookRoutes } from './routes/hooks.ts';
import { inboxRoutes } from './routes/inbox.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { oauthRoutes } from './routes/oauth.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { ownSessionRoutes } from './routes/own-session.ts';
import { sealRoutes } from './routes/seal.ts';

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
