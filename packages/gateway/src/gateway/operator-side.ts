import { decisionRoutes, operatorAllowRuleRoutes } from '../doors/api/index.ts';
import { mcpServersRoutes } from '../doors/mcp/index.ts';
import { caRoutes } from '../doors/proxy/index.ts';
import { sealWorkloadRoutes } from '../doors/seal/index.ts';
import {
  type App,
  auditRoutes,
  baseOptions,
  configRoutes,
  createBaseApp,
  credentialsRoutes,
  decisionLinkRoutes,
  eventRoutes,
  grantsRoutes,
  healthRoutes,
  keysRoutes,
  metricsRoutes,
  openApiRoutes,
  policyRoutes,
  refsRoutes,
  refuseAgents,
  requireOperator,
  runsRoutes,
  sessionsRoutes,
  statusRoutes,
  telegramRoutes,
  tokensRoutes,
} from '../servers/index.ts';
import type { OperatorSideServices } from './side-services.ts';

const MAX_STREAMS = 100;

/** What people reach. A new route is one file in `routes/` and one line here. */
export async function createOperatorApp(services: OperatorSideServices): Promise<App> {
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
  caRoutes(app, services.ca);
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
