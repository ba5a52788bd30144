import { compileRbac, type Rbac, type RbacPolicy } from './rbac.ts';

/** What identity must know of a tenant's config. */
export interface TenantPolicy extends RbacPolicy {
  readonly default_user?: string | undefined;
  readonly default_agent?: string | undefined;
  /** names of every agent that the tenant may use, its own and the shared ones */
  readonly agents: ReadonlySet<string>;
}

/**
 * The tenant's policy as it is now; undefined for an unknown tenant.
 *
 * Must return the same object until the config changes: what is compiled from it is kept with it.
 */
export type TenantOf = (tenant: string) => TenantPolicy | undefined;

const compiled = new WeakMap<RbacPolicy, Rbac>();

/** The compiled rights of a policy. Compiles once for each object. */
export function rbacOf(policy: RbacPolicy): Rbac {
  const known = compiled.get(policy);
  if (known !== undefined) return known;
  const rbac = compileRbac(policy);
  compiled.set(policy, rbac);
  return rbac;
}
