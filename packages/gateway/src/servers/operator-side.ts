import { type App, createBaseApp } from './base-app.ts';
import { baseOptions } from './base-options.ts';
import type { OpenDoor } from './door-definition.ts';
import { auditRoutes } from './operator/audit.ts';
import { decisionLinkRoutes, telegramRoutes } from './operator/channel-ways.ts';
import { configRoutes } from './operator/config.ts';
import { credentialsRoutes } from './operator/credentials.ts';
import { eventRoutes } from './operator/events.ts';
import { grantsRoutes } from './operator/grants.ts';
import { keysRoutes } from './operator/keys.ts';
import { metricsRoutes } from './operator/metrics.ts';
import { policyRoutes } from './operator/policy.ts';
import { refsRoutes } from './operator/refs.ts';
import { runsRoutes } from './operator/runs.ts';
import { sessionsRoutes } from './operator/sessions.ts';
import { statusRoutes } from './operator/status.ts';
import { tokensRoutes } from './operator/tokens.ts';
import { refuseAgents, requireOperator } from './operator-auth.ts';
import { healthRoutes } from './routes/health.ts';
import { openApiRoutes } from './routes/openapi.ts';
import type { OperatorServices } from './services.ts';

const MAX_STREAMS = 100;

/** What people reach. A new route is one file in `operator/` and one line here, or belongs to a door. */
export async function createOperatorSide(
  services: OperatorServices,
  doors: readonly OpenDoor[],
): Promise<App> {
  const { lending, trail } = services;
  const app = await createBaseApp(baseOptions('operator', services));
  requireOperator(app, services.operatorToken);
  refuseAgents(app, services.agentProcesses, services.onAgentRefused);
  healthRoutes(app, 'operator', services);
  openApiRoutes(app);
  metricsRoutes(app, services.metrics);
  statusRoutes(app, services.gateway);
  sessionsRoutes(app, services);
  runsRoutes(app, services.runs, services);
  keysRoutes(app, services);
  credentialsRoutes(app, lending.broker);
  tokensRoutes(app, services, lending.placeholders);
  refsRoutes(app, lending.broker, lending.references);
  auditRoutes(app, trail);
  eventRoutes(app, trail, {
    heartbeatMs: services.heartbeatMs,
    maxStreams: MAX_STREAMS,
    stopping: services.stopping,
  });
  configRoutes(app, services.config);
  policyRoutes(app, services.desk);
  grantsRoutes(app, services.grants);
  decisionLinkRoutes(app, services.channelWays);
  telegramRoutes(app, services.channelWays);
  for (const door of doors) door.operatorRoutes?.(app, services);
  await app.ready();
  return app;
}
