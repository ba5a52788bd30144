import { ACTION_TYPES, API_ACTION_TYPES, BUILT_IN_CUSTOM_TYPES } from '@sallyport/protocol';
import { didYouMean } from '../../shared/suggest.ts';
import type { ApprovalsConfig } from '../sections/approvals.ts';
import type { Config } from '../sections/schema.ts';
import { findRole } from '../sections/schema.ts';
import type { ConfigPath, ConfigProblem } from './config-check.ts';

/** Every type and role that `approvals` names exists: a typo would leave a question without its quorum. */
export function checkApprovals(config: Config): readonly ConfigProblem[] {
  const types = [...ACTION_TYPES, ...API_ACTION_TYPES, ...BUILT_IN_CUSTOM_TYPES, ...config.custom_types];
  const categories = types
    .filter((type) => type.includes(':'))
    .map((type) => type.slice(0, type.indexOf(':')));
  const known = new Set<string>([...types, ...categories]);
  const tenants = Object.keys(config.tenants);
  const problems = [...checkSection(config.approvals, ['approvals'], known)];
  // A shared chain must make sense in every tenant that uses it.
  for (const tenant of tenants) {
    const own = config.tenants[tenant]?.approvals;
    const at: ConfigPath = own === undefined ? ['approvals'] : ['tenants', tenant, 'approvals'];
    if (own !== undefined) problems.push(...checkSection(own, at, known));
    problems.push(...checkRoles(own ?? config.approvals, at, config, tenant));
  }
  return problems;
}

function checkSection(
  section: ApprovalsConfig,
  at: ConfigPath,
  known: ReadonlySet<string>,
): readonly ConfigProblem[] {
  const named: (readonly [ConfigPath, string])[] = [
    ...Object.keys(section.timeouts).map((type) => [[...at, 'timeouts', type], type] as const),
    ...(section.quorum?.types ?? []).map((type, index) => [[...at, 'quorum', 'types', index], type] as const),
  ];
  return named
    .filter(([, type]) => !known.has(type))
    .map(([path, type]) => ({
      severity: 'error',
      path,
      message: `there is no action type \`${type}\``,
      hint: didYouMean(type, [...known]) ?? 'docs/config.md lists the action types and their categories',
    }));
}

function checkRoles(
  section: ApprovalsConfig,
  at: ConfigPath,
  config: Config,
  tenant: string,
): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [type, timeout] of Object.entries(section.timeouts)) {
    if (typeof timeout === 'string' || timeout.policy !== 'escalate') continue;
    for (const [index, { role }] of timeout.chain.entries()) {
      if (findRole(config, tenant, role) !== undefined) continue;
      problems.push({
        severity: 'error',
        path: [...at, 'timeouts', type, 'chain', index, 'role'],
        message: `tenant \`${tenant}\` has no role \`${role}\``,
        hint: 'name a role of `roles`',
      });
    }
  }
  return problems;
}
