export type { ConfigCheck, ConfigPath, ConfigProblem, LoadedConfig } from './config-check.ts';
export { firstConfigText } from './first-config.ts';
export { formatProblems } from './format-problems.ts';
export { type LoadConfigOptions, loadConfig, problemsOf } from './load-config.ts';
export { findAgent, findRole } from './lookup.ts';
export {
  type AgentConfig,
  type AuditSinkConfig,
  type Config,
  ConfigSchema,
  type RoleConfig,
  type TenantConfig,
} from './schema.ts';
export { parseSelector, type RoleSelector } from './sections/selectors.ts';
export type { Variables } from './source/expand-variables.ts';
export type { LocatedProblem } from './source/problem-list.ts';
