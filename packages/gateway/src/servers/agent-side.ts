import { requireSession } from './agent-auth.ts';
import { type App, type BaseAppOptions, createBaseApp } from './base-app.ts';
import { baseOptions } from './base-options.ts';
import type { ConnectionFront, OpenDoor } from './door-definition.ts';
import { healthRoutes } from './routes/health.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { ownSessionRoutes } from './routes/own-session.ts';
import type { AgentServices } from './services.ts';

/** The agent side, ready to listen. */
export interface AgentSide {
  readonly app: App;
  /** what stands before its port */
  readonly fronts: readonly ConnectionFront[];
}

/**
 * What agents reach: their own sessions, and what the doors bring along.
 *
 * SECURITY: nothing that decides, configures or reads about others may ever be added here [ID-1].
 */
export async function createAgentSide(
  services: AgentServices,
  doors: readonly OpenDoor[],
): Promise<AgentSide> {
  const options = baseOptions('agent', services);
  const shortcuts = doors.flatMap((door) => door.shortcut?.(options) ?? []);
  const app = await createBaseApp({ ...options, ...intercepting(shortcuts) });
  requireSession(app, services.sessions);
  healthRoutes(app, 'agent', services);
  openApiRoutes(app);
  ownSessionRoutes(app, services);
  for (const door of doors) door.agentRoutes?.(app);
  await app.ready();
  return { app, fronts: shortcuts.map(({ front }) => front) };
}

/** One after another, each as the one before hands on. */
function intercepting(
  shortcuts: readonly { readonly intercept: NonNullable<BaseAppOptions['intercept']> }[],
): Pick<BaseAppOptions, 'intercept'> {
  const [first, ...others] = shortcuts;
  if (first === undefined) return {};
  const { intercept: next } = intercepting(others);
  if (next === undefined) return { intercept: first.intercept };
  return {
    intercept: (request, response, handOn) =>
      first.intercept(request, response, (req, res) => next(req, res, handOn)),
  };
}
