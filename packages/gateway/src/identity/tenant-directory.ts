import type { Config, TenantConfig } from '../config/index.ts';
import { compileRbac, type Rbac, type RbacPolicy } from './rbac.ts';

/** What identity must know of a tenant's config. */
export interface TenantPolicy extends RbacPolicy {
  readonly default_user?: string | undefined;
  readonly default_agent?: string | undefined;
  /** names of every agent that the tenant may use, its own and the shared ones */
  readonly agents: ReadonlySet<string>;
  /** names of the credentials that may be lent to each agent; an agent that is not here has none */
  readonly credentials?: ReadonlyMap<string, readonly string[]>;
}

/**
 * The tenant's policy as it is now; undefined for an unknown tenant.
 *
 * Must return the same object until the config changes: what is compiled from it is kept with it.
 */
export type TenantOf = (tenant: string) => TenantPolicy | undefined;

/** What identity must know of one tenant, from the config. Its own definition of a name comes before the shared one. */
export function tenantPolicyOf(config: Pick<Config, 'roles' | 'agents'>, tenant: TenantConfig): TenantPolicy {
  const agents = { ...config.agents, ...tenant.agents };
  return {
    users: tenant.users,
    roles: { ...config.roles, ...tenant.roles },
    agents: new Set(Object.keys(agents)),
    credentials: new Map(
      Object.entries(agents).map(([agent, { credentials = [] }]) => [
        agent,
        credentials.filter((name) => Object.hasOwn(tenant.credentials, name)),
      ]),
    ),
    default_user: tenant.default_user,
    default_agent: tenant.default_agent,
  };
}

const compiled = new WeakMap<RbacPolicy, Rbac>();

/** The compiled rights of a policy. Compiles once for each object. */
export function rbacOf(policy: RbacPolicy): Rbac {
  const known = compiled.get(policy);
  if (known !== undefined) return known;
  const rbac = compileRbac(policy);
  compiled.set(policy, rbac);
  return rbac;
}
