export { appendToList } from './append-to-list.ts';
export type { ConfigCheck, ConfigPath, ConfigProblem, LoadedConfig } from './checks/config-check.ts';
export { renderConfigPage } from './config-page.ts';
export {
  type DoctorCheck,
  type DoctorContext,
  type DoctorReport,
  type DoctorResult,
  runDoctor,
} from './doctor-check.ts';
export { removeEntry, setEntry, type Value } from './edit-entry.ts';
export { firstConfigText, SCHEMA_FILE, SCHEMA_LINE, userName } from './first-config.ts';
export { formatProblems } from './format-problems.ts';
export { groundDoctorChecks } from './ground-doctor-checks.ts';
export { type HomeFlags, type HomePaths, homeFailure, prepareHome, resolveHome } from './home.ts';
export { type HomeLock, takeHomeLock } from './home-lock.ts';
export {
  type CheckedConfig,
  checkConfigFile,
  configFiles,
  type LoadConfigOptions,
  loadConfig,
  problemsOf,
} from './load-config.ts';
export { migrateText } from './migrate-text.ts';
export { keysThatNeedRestart } from './reload.ts';
export {
  readSecretFile,
  type WriteSecretOptions,
  writeFileAtomically,
  writeSecretFile,
} from './secret-file.ts';
export { type ApprovalsConfig, ApprovalsSchema } from './sections/approvals.ts';
export {
  type AuditSinkConfig,
  type AuditSinkKind,
  type AuditSinkOptions,
  AuditSinkSchema,
} from './sections/audit.ts';
export { type ChannelName, identityForm, identityKey } from './sections/channels.ts';
export { COMMAND_NAMES, type CommandName } from './sections/command-names.ts';
export type { AwsSmConfig } from './sections/credentials-cloud.ts';
export type {
  CredentialConfig,
  CredentialKindName,
  CredentialOptions,
} from './sections/credentials-kinds.ts';
export type { BuiltInScheme, SourceConfig, SourceWay, VaultConfig } from './sections/credentials-sources.ts';
export type { GatekeeperConfig } from './sections/gatekeeper.ts';
export type { McpServerConfig } from './sections/mcp-servers.ts';
export { GIT_PROVIDERS, type GitProvider } from './sections/policy-mode.ts';
export type { ProviderName } from './sections/policy-providers.ts';
export type { SnapshotConfig } from './sections/process.ts';
export { parseSelector, type RoleSelector } from './sections/roles.ts';
export {
  type AgentConfig,
  type Config,
  ConfigSchema,
  credentialsOfAgent,
  findAgent,
  findRole,
  jsonSchema,
  type RoleConfig,
  type TenantConfig,
} from './sections/schema.ts';
export type { BackendName } from './sections/values.ts';
export type { VolumeConfig } from './sections/volumes.ts';
export { fitsSocket, LONGEST_SOCKET_BYTES, socketFolder, takesSockets } from './socket-folder.ts';
export type { Variables } from './source/expand-variables.ts';
export type { LocatedProblem } from './source/problem-list.ts';
export { type ConfigWatch, type WatchConfigOptions, watchConfig } from './watch-config.ts';
export { writeConfigSchema } from './write-schema.ts';
export type { ListItem } from './yaml-text.ts';
