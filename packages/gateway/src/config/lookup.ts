import type { AgentConfig, Config, RoleConfig } from './schema.ts';

/** The agent that a name means inside a tenant: the tenant's own first, then the top level's. */
export function findAgent(config: Config, tenant: string, agent: string): AgentConfig | undefined {
  return config.tenants[tenant]?.agents[agent] ?? config.agents[agent];
}

/** The credentials that may be lent to an agent of a tenant: those that it lists and the tenant has. */
export function credentialsOfAgent(config: Config, tenant: string, agent: string): readonly string[] {
  const known = config.tenants[tenant]?.credentials ?? {};
  return (findAgent(config, tenant, agent)?.credentials ?? []).filter((name) => Object.hasOwn(known, name));
}

/** The role that a name means inside a tenant: the tenant's own first, then the top level's. */
export function findRole(config: Config, tenant: string, role: string): RoleConfig | undefined {
  return config.tenants[tenant]?.roles[role] ?? config.roles[role];
}
