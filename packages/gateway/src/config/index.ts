export type { ConfigCheck, ConfigPath, ConfigProblem, LoadedConfig } from './config-check.ts';
export {
  type AgentConfig,
  type AuditSinkConfig,
  type Config,
  ConfigSchema,
  type RoleConfig,
  type TenantConfig,
} from './schema.ts';
export { parseSelector, type RoleSelector } from './sections/selectors.ts';
