import type { OperatorServices } from './api-services.ts';
import { type App, createBaseApp } from './base-app.ts';
import { baseOptions } from './base-options.ts';
import { refuseAgents, requireOperator } from './operator-auth.ts';
import { operatorAllowRuleRoutes } from './routes/allow-rules.ts';
import { auditRoutes } from './routes/audit.ts';
import { caRoutes } from './routes/ca.ts';
import { decisionLinkRoutes, telegramRoutes } from './routes/channel-ways.ts';
import { configRoutes } from './routes/config.ts';
import { credentialsRoutes } from './routes/credentials.ts';
import { decisionRoutes } from './routes/decisions.ts';
import { eventRoutes } from './routes/events.ts';
import { grantsRoutes } from './routes/grants.ts';
import { healthRoutes } from './routes/health.ts';
import { keysRoutes } from './routes/keys.ts';
import { mcpServersRoutes } from './routes/mcp-servers.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { policyRoutes } from './routes/policy.ts';
import { refsRoutes } from './routes/refs.ts';
import { runsRoutes } from './routes/runs.ts';
import { sealWorkloadRoutes } from './routes/seal-workloads.ts';
import { sessionsRoutes } from './routes/sessions.ts';
import { statusRoutes } from './routes/status.ts';
import { tokensRoutes } from './routes/tokens.ts';

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
