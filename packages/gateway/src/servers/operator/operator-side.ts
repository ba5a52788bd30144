import { type App, createBaseApp } from '../base-app.ts';
import { baseOptions } from '../base-options.ts';
import type { OpenDoor } from '../door-definition.ts';
import { healthRoutes, openApiRoutes } from '../open-routes.ts';
import type { OperatorServices } from '../operator-services.ts';
import { auditRoutes } from './audit.ts';
import { decisionLinkRoutes, telegramRoutes } from './channel-ways.ts';
import { configRoutes } from './config.ts';
import { credentialsRoutes } from './credentials.ts';
import { eventRoutes } from './events.ts';
import { grantsRoutes } from './grants.ts';
import { idsRoutes } from './ids.ts';
import { keysRoutes } from './keys.ts';
import { refuseAgents, requireOperator } from './operator-auth.ts';
import { policyRoutes } from './policy.ts';
import { refsRoutes } from './refs.ts';
import { runsRoutes } from './runs.ts';
import { sessionsRoutes } from './sessions.ts';
import { metricsRoutes, statusRoutes } from './status.ts';
import { tokensRoutes } from './tokens.ts';
import { undoRoutes } from './undo.ts';

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
  undoRoutes(app, services.snapshots);
  keysRoutes(app, services);
  idsRoutes(app, services.ids);
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
  policyRoutes(app, services.policyQuestions);
  grantsRoutes(app, services.grants);
  decisionLinkRoutes(app, services.channelWays);
  telegramRoutes(app, services.channelWays);
  for (const door of doors) door.operatorRoutes?.(app, services);
  await app.ready();
  return app;
}
