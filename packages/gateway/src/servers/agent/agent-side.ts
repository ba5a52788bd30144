import {
  NewSessionSchema,
  OwnSessionSchema,
  RenewedSessionSchema,
  SessionTokenSchema,
} from '@sallyport/protocol';
import { z } from 'zod';
import { toEventActor } from '../../identity/index.ts';
import { boundSession, outliveSession, requireSession, sessionOf } from '../agent-auth.ts';
import type { App } from '../base-app.ts';
import { createBaseApp } from '../base-app.ts';
import { baseOptions } from '../base-options.ts';
import { requireToken } from '../bearer.ts';
import type { AgentSide, OpenDoor } from '../door-definition.ts';
import { healthRoutes, openApiRoutes } from '../open-routes.ts';
import type { AgentServices } from '../services.ts';
import { toOwnSession, toRenewed, toSessionToken } from '../wire.ts';

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
  const app = await createBaseApp(options);
  requireSession(app, services.sessions);
  healthRoutes(app, 'agent', services);
  openApiRoutes(app);
  ownSessionRoutes(app, services);
  for (const door of doors) door.agentRoutes?.(app);
  await app.ready();
  return { app, fronts: doors.flatMap((door) => door.front?.(options) ?? []) };
}

/** An agent's own session: opened with an enrollment secret, read, renewed, ended. */
export function ownSessionRoutes(app: App, { sessions, clock, agentProcesses }: AgentServices): void {
  app.post(
    '/session/new',
    {
      config: { public: true },
      schema: {
        summary: 'Open a session with an enrollment secret',
        security: [],
        body: NewSessionSchema,
        response: { 201: SessionTokenSchema },
      },
    },
    async (request, reply) => {
      const { tenant_id: tenantId, enrollment_secret: enrollmentSecret, agent, workspace } = request.body;
      const remoteAddress = request.raw.socket.remoteAddress ?? 'unknown';
      const opened = await sessions.enroll({ tenantId, enrollmentSecret, agent, workspace, remoteAddress });
      // After the answer, which takes as long for everyone.
      const { socket } = request.raw;
      reply.raw.once('finish', () => agentProcesses.addProgram(opened.session.id, socket));
      return reply.code(201).send(toSessionToken(opened));
    },
  );

  app.get(
    '/session',
    { schema: { summary: 'What this session is', response: { 200: OwnSessionSchema } } },
    async (request) => toOwnSession(sessionOf(request), clock.now()),
  );

  app.post(
    '/session/renew',
    {
      schema: {
        summary: 'A full life from now on, with the same token',
        response: { 200: RenewedSessionSchema },
      },
    },
    async (request) => {
      // A jail has no token: its connections are the session's.
      const renewed =
        boundSession(request) === undefined
          ? await sessions.renew(requireToken(request))
          : await sessions.prolong(sessionOf(request).id);
      return toRenewed(renewed, clock.now());
    },
  );

  app.delete(
    '/session',
    { schema: { summary: 'End this session', response: { 204: z.null() } } },
    async (request, reply) => {
      const session = sessionOf(request);
      outliveSession(request);
      await sessions.end(session.id, 'ended by the agent', toEventActor(session), session.tenant);
      return reply.code(204).send(null);
    },
  );
}
