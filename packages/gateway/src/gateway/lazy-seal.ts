import { join } from 'node:path';
import type { HomePaths } from '../config/index.ts';
import { loadSeal, type Seal } from '../doors/seal/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { ConfigInForce } from './config-in-force.ts';
import type { LazyToolPlane } from './lazy-tool-plane.ts';
import { SYSTEM_TENANT } from './seed-identity.ts';
import type { GroundServices } from './services.ts';

export interface LazySealParts {
  readonly paths: Pick<HomePaths, 'home'>;
  readonly config: Pick<ConfigInForce, 'config'>;
  readonly ground: GroundServices;
  readonly tools: Pick<LazyToolPlane, 'open'>;
  readonly clock: Clock;
  /** when this process began, in ms since epoch */
  readonly boot: number;
}

/** The SEAL door, loaded with the first worker: most starts have none. */
export function lazySeal(parts: LazySealParts): () => Promise<Seal> {
  let opening: Promise<Seal> | undefined;
  const open = async (): Promise<Seal> => {
    const [{ calls, commands }, openSeal] = await Promise.all([parts.tools.open(), loadSeal()]);
    const { store, trail, sessions } = parts.ground;
    return openSeal({
      ...{ store, trail, sessions, calls, commands, clock: parts.clock, boot: parts.boot },
      keyFile: join(parts.paths.home, 'seal.key'),
      systemTenant: SYSTEM_TENANT,
      scopeOf: (tenant, agent) => securityContextOf(parts.config.config, tenant, agent),
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

/** A tenant's own definition of an agent comes before the shared one. */
function securityContextOf(
  { tenants, agents }: ConfigInForce['config'],
  tenant: string,
  agent: string,
): string | undefined {
  const own = Object.hasOwn(tenants, tenant) ? tenants[tenant]?.agents : undefined;
  const known = own !== undefined && Object.hasOwn(own, agent) ? own[agent] : agents[agent];
  return known?.security_context;
}
