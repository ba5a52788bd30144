import { allowRuleRoutes, approvalRoutes, inboxRoutes } from '../doors/api/index.ts';
import { hookRoutes } from '../doors/hook/index.ts';
import {
  createMcpFastPath,
  mcpRoutes,
  oauthRoutes,
  PlainCalls,
  PlainConnections,
} from '../doors/mcp/index.ts';
import { sealRoutes } from '../doors/seal/index.ts';
import {
  type App,
  baseOptions,
  createBaseApp,
  DEFAULT_LIMITS,
  healthRoutes,
  openApiRoutes,
  ownSessionRoutes,
  requireSession,
} from '../servers/index.ts';
import type { AgentSideServices } from './side-services.ts';

/**
 * What agents reach. A new route is one file in `routes/` and one line here.
 *
 * SECURITY: nothing that decides, configures or reads about others may ever be added here [ID-1].
 */
export async function createAgentApp(services: AgentSideServices): Promise<App> {
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
export function createPlainConnections(services: AgentSideServices): PlainConnections {
  const calls = new PlainCalls(baseOptions('agent', services), services);
  return new PlainConnections(calls, { ...DEFAULT_LIMITS, ...services.limits });
}
