import type { Config } from '../config/index.ts';
import { type TenantOf, type TenantPolicy, tenantPolicyOf } from '../identity/index.ts';

const cache = new WeakMap<Config, ReadonlyMap<string, TenantPolicy>>();

/** What identity asks about tenants, answered from the config of the moment. */
export function tenantPolicies(config: () => Config): TenantOf {
  return (tenant) => policiesOf(config()).get(tenant);
}

/** One object for each tenant and config: what identity compiles from it is kept with it. */
function policiesOf(config: Config): ReadonlyMap<string, TenantPolicy> {
  const known = cache.get(config);
  if (known !== undefined) return known;
  const policies = new Map(
    Object.entries(config.tenants).map(([name, tenant]) => [name, tenantPolicyOf(config, tenant)]),
  );
  cache.set(config, policies);
  return policies;
}
