import { credentialsOfAgent, findAgent } from '../../../config/index.ts';
import type { AgentServices } from '../../../servers/index.ts';
import type { OAuthDoor } from './oauth-door.ts';

/** OAuth for the MCP door, of the tenant that is always there; loaded when the first program asks. */
export async function openOAuth(services: AgentServices): Promise<OAuthDoor> {
  const { config, gate, clock, log, stopping, sessions, trail, coordination, systemTenant } = services;
  const { OAuthDoor } = await import('./oauth-door.ts');
  return new OAuthDoor({
    ...{ gate, clock, stopping, sessions, trail, coordination, tenant: systemTenant },
    key: services.clientIdKey(),
    seatOf(wanted) {
      const tenant = config.config.tenants[systemTenant];
      const agent = wanted ?? tenant?.default_agent;
      const user = tenant?.default_user;
      if (agent === undefined || user === undefined) return undefined;
      if (findAgent(config.config, systemTenant, agent) === undefined) return undefined;
      return { tenant: systemTenant, user, agent };
    },
    credentialsOf: ({ tenant, agent }) => credentialsOfAgent(config.config, tenant, agent),
    onProblem: (error) => log.error({ err: error }, 'a request for a session could not be carried on'),
  });
}
