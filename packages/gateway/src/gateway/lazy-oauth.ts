import type { Logger } from '../audit/index.ts';
import { credentialsOfAgent, findAgent } from '../config/index.ts';
import { loadOAuthDoor, type OAuthDoor } from '../doors/mcp/index.ts';
import type { Gate } from '../gate/index.ts';
import { deriveKey } from '../identity/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';
import type { ConfigInForce } from './config-in-force.ts';
import { SYSTEM_TENANT } from './seed-identity.ts';
import type { GroundServices } from './services.ts';

export interface LazyOAuthParts {
  readonly config: Pick<ConfigInForce, 'config'>;
  readonly ground: GroundServices;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly log: Logger;
  readonly operatorToken: Secret;
  readonly stopping: AbortSignal;
}

/** OAuth for the MCP door, of the tenant that is always there; loaded when the first program asks. */
export function lazyOAuth(parts: LazyOAuthParts): () => Promise<OAuthDoor> {
  const { config, ground, gate, clock, log, stopping } = parts;
  let opening: Promise<OAuthDoor> | undefined;
  const open = async (): Promise<OAuthDoor> => {
    const OAuthDoor = await loadOAuthDoor();
    return new OAuthDoor({
      ...{ gate, clock, stopping, sessions: ground.sessions, trail: ground.trail, tenant: SYSTEM_TENANT },
      key: deriveKey(parts.operatorToken, 'sallyport oauth clients v1'),
      seatOf(wanted) {
        const tenant = config.config.tenants[SYSTEM_TENANT];
        const agent = wanted ?? tenant?.default_agent;
        const user = tenant?.default_user;
        if (agent === undefined || user === undefined) return undefined;
        if (findAgent(config.config, SYSTEM_TENANT, agent) === undefined) return undefined;
        return { tenant: SYSTEM_TENANT, user, agent };
      },
      credentialsOf: ({ tenant, agent }) => credentialsOfAgent(config.config, tenant, agent),
      onProblem: (error) => log.error({ err: error }, 'a request for a session could not be carried on'),
    });
  };
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}
