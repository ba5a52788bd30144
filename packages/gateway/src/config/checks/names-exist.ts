import { didYouMean } from '../../shared/suggest.ts';
import { parseSelector } from '../sections/roles.ts';
import type { Config, RoleConfig } from '../sections/schema.ts';
import { findAgent, findRole } from '../sections/schema.ts';
import type { ConfigPath, ConfigProblem } from './config-check.ts';

/** Every name that points at a user, role or agent has one to point at. */
export function checkNamesExist(config: Config): readonly ConfigProblem[] {
  const everyAgent = [
    ...Object.keys(config.agents),
    ...Object.values(config.tenants).flatMap((tenant) => Object.keys(tenant.agents)),
  ];
  return [
    ...checkRoleAgents(config.roles, ['roles'], everyAgent),
    ...Object.keys(config.tenants).flatMap((tenant) => checkTenant(config, tenant)),
  ];
}

function checkTenant(config: Config, name: string): readonly ConfigProblem[] {
  const tenant = config.tenants[name];
  if (tenant === undefined) return [];
  const at = ['tenants', name];
  const roles = [...Object.keys(tenant.roles), ...Object.keys(config.roles)];
  const agents = [...Object.keys(tenant.agents), ...Object.keys(config.agents)];
  const problems = [...checkRoleAgents(tenant.roles, [...at, 'roles'], agents)];
  for (const [user, { roles: wanted }] of Object.entries(tenant.users)) {
    for (const [index, role] of wanted.entries()) {
      if (findRole(config, name, role) === undefined) {
        problems.push(unknown([...at, 'users', user, 'roles', index], 'role', role, roles));
      }
    }
  }
  if (tenant.default_user !== undefined && !Object.hasOwn(tenant.users, tenant.default_user)) {
    const users = Object.keys(tenant.users);
    problems.push(unknown([...at, 'default_user'], 'user', tenant.default_user, users));
  }
  if (tenant.default_agent !== undefined && findAgent(config, name, tenant.default_agent) === undefined) {
    problems.push(unknown([...at, 'default_agent'], 'agent', tenant.default_agent, agents));
  }
  return problems;
}

/** A role that names an agent which does not exist is a typo: it would silently allow or deny nothing. */
function checkRoleAgents(
  roles: Readonly<Record<string, RoleConfig>>,
  at: ConfigPath,
  agents: readonly string[],
): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [role, { allow, deny }] of Object.entries(roles)) {
    for (const [list, selectors] of Object.entries({ allow, deny })) {
      for (const [index, text] of selectors.entries()) {
        const result = parseSelector(text);
        if (result.kind !== 'selector' || result.selector.kind !== 'agent') continue;
        const { pattern } = result.selector;
        if (pattern.includes('*') || agents.includes(pattern)) continue;
        problems.push(unknown([...at, role, list, index], 'agent', pattern, agents));
      }
    }
  }
  return problems;
}

function unknown(path: ConfigPath, what: string, name: string, known: readonly string[]): ConfigProblem {
  const hint =
    didYouMean(name, known) ??
    (known.length === 0 ? `no ${what} is configured here` : `known: ${[...new Set(known)].join(', ')}`);
  return { severity: 'error', path, message: `there is no ${what} \`${name}\``, hint };
}

/** The tenant that is always there. */
const SYSTEM = 'default';

/** Every tenant that a server is for exists: a typo would take its tools from everyone. */
export function checkMcpServers(config: Config): readonly ConfigProblem[] {
  const known = new Set([SYSTEM, ...Object.keys(config.tenants)]);
  return config.mcp_servers.flatMap(({ tenants }, server) =>
    tenants.flatMap((tenant, index): readonly ConfigProblem[] => {
      if (known.has(tenant)) return [];
      const hint = didYouMean(tenant, known);
      return [
        {
          severity: 'error',
          path: ['mcp_servers', server, 'tenants', index],
          message: `there is no tenant \`${tenant}\``,
          ...(hint === undefined ? {} : { hint }),
        },
      ];
    }),
  );
}
