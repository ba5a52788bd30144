import type { OperatorServices } from '../servers/services.ts';
import { type App, createBaseApp } from '../servers/base-app.ts';
import { baseOptions } from '../servers/base-options.ts';
import { refuseAgents, requireOperator } from '../servers/operator-auth.ts';
import { operatorAllowRuleRoutes } from '../doors/api/allow-rules.ts';
import { auditRoutes } from '../servers/operator/audit.ts';
import { caRoutes } from '../doors/proxy/ca-routes.ts';
import { decisionLinkRoutes, telegramRoutes } from '../servers/operator/channel-ways.ts';
import { configRoutes } from '../servers/operator/config.ts';
import { credentialsRoutes } from '../servers/operator/credentials.ts';
import { decisionRoutes } from '../doors/api/decisions.ts';
import { eventRoutes } from '../servers/operator/events.ts';
import { grantsRoutes } from '../servers/operator/grants.ts';
import { healthRoutes } from '../servers/routes/health.ts';
import { keysRoutes } from '../servers/operator/keys.ts';
import { mcpServersRoutes } from '../doors/mcp/server-routes.ts';
import { metricsRoutes } from '../servers/operator/metrics.ts';
import { openApiRoutes } from '../servers/routes/openapi.ts';
import { policyRoutes } from '../servers/operator/policy.ts';
import { refsRoutes } from '../servers/operator/refs.ts';
import { runsRoutes } from '../servers/operator/runs.ts';
import { sealWorkloadRoutes } from '../doors/seal/workload-routes.ts';
import { sessionsRoutes } from '../servers/operator/sessions.ts';
import { statusRoutes } from '../servers/operator/status.ts';
import { tokensRoutes } from '../servers/operator/tokens.ts';

const MAX_STREAMS = 100;

/** What people reach. A new route is one file in `routes/` and one line here. */
export async function createOperatorApp(services: OperatorServices): Promise<App> {
  const app = await createBaseApp(baseOptions('operator', services));
  requireOperator(app, services.operatorToken);
  refuseAgents(app, services.agentProcesses, services.onAgentRefused);
  healthRoutes(app, 'operator', services);
  openApiRoutes(app);
  metricsRoutes(app, services.metrics);
  statusRoutes(app, services.gateway);
  sessionsRoutes(app, services);
  runsRoutes(app, services.runs, services);
  sealWorkloadRoutes(app, services);
  keysRoutes(app, services);
  if (services.ca !== undefined) caRoutes(app, services.ca);
  credentialsRoutes(app, services.lending.broker);
  tokensRoutes(app, services, services.lending.placeholders);
  refsRoutes(app, services.lending.broker, services.lending.references);
  mcpServersRoutes(app, services.mcpServers);
  auditRoutes(app, services.trail);
  eventRoutes(app, services.trail, {
    heartbeatMs: services.heartbeatMs,
    maxStreams: MAX_STREAMS,
    stopping: services.gateway.stopping,
  });
  configRoutes(app, services.config);
  policyRoutes(app, services.desk);
  grantsRoutes(app, services.grants);
  decisionRoutes(app, services);
  operatorAllowRuleRoutes(app, services.grants);
  if (services.channelWays !== undefined) {
    decisionLinkRoutes(app, services.channelWays);
    telegramRoutes(app, services.channelWays);
  }
  return app;
}
