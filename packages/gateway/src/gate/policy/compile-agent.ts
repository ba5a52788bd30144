import type { ArgumentTarget } from '@sallyport/protocol';
import type { AgentConfig, Config, ConfigPath } from '../../config/index.ts';
import { HostSet } from '../rules/patterns/host-index.ts';
import { ACCESS_LEVELS } from './access-levels.ts';
import { compileAutonomy } from './autonomy-presets.ts';
import type {
  AccessLevel,
  Autonomy,
  Capability,
  CompiledAgent,
  CompiledValidation,
  Quote,
  RateLimit,
  SecurityContext,
} from './compiled-policy.ts';
import { ToolSet } from './compiled-policy.ts';
import type { PolicySource } from './policy-source.ts';

type CapabilityConfig = NonNullable<Config['security_contexts'][string]['capabilities']>[number];
type LevelConfig = Extract<NonNullable<AgentConfig['level']>, object>;
type Dimensions = Omit<LevelConfig, 'base'> & { readonly description?: string | undefined };
type AutonomyConfig = NonNullable<AgentConfig['autonomy']>;

/** Compiles one agent: the tenant's own of that name, or else the top level's. */
export function compileAgent(source: PolicySource, name: string): CompiledAgent {
  const { config, own } = source;
  const isOwn = own !== undefined && Object.hasOwn(own.agents, name);
  const path: ConfigPath = isOwn ? source.tenantPath('agents', name) : ['agents', name];
  const agent = (isOwn ? own.agents : config.agents)[name];
  if (agent === undefined) throw source.invalid(path, `there is no agent \`${name}\``);
  const rules = source.ruleList([...path, 'permissions'], agent.permissions);
  const autonomy = compileAutonomyOf(source, path, agent);
  const context = agent.security_context;
  return {
    name,
    disallowed: new ToolSet(agent.disallowed_tools),
    ...(agent.tools === undefined ? {} : { tools: new ToolSet(agent.tools) }),
    ...(rules === undefined ? {} : { rules }),
    ...(agent.level === undefined
      ? {}
      : { level: compileLevel(source, agent.level, source.quote([...path, 'level'], 'level')) }),
    ...(context === undefined ? {} : { context: compileContext(source, context, name) }),
    ...(autonomy === undefined ? {} : { autonomy }),
    ...(agent.limits.max_calls_per_execution === undefined
      ? {}
      : { maxCalls: agent.limits.max_calls_per_execution }),
    ...(agent.execution === undefined ? {} : { validations: compileValidations(agent.execution) }),
  };
}

function compileValidations({
  tool_validation,
}: NonNullable<AgentConfig['execution']>): readonly CompiledValidation[] {
  return Object.entries(tool_validation).map(([tool, { criteria, model }]) => ({
    tools: new ToolSet([tool]),
    tool,
    criteria,
    ...(model === undefined ? {} : { model }),
  }));
}

function compileLevel(
  source: PolicySource,
  level: NonNullable<AgentConfig['level']>,
  quote: Quote,
): AccessLevel {
  const name = typeof level === 'string' ? level : level.base;
  const base: AccessLevel = { ...ACCESS_LEVELS[name], ...quote };
  const changed = withDimensions(base, source.config.tool_access.levels[name] ?? {});
  return typeof level === 'string' ? changed : withDimensions(changed, level);
}

function withDimensions(level: AccessLevel, changes: Dimensions): AccessLevel {
  return {
    ...level,
    description: changes.description ?? level.description,
    categories: changes.categories === undefined ? level.categories : new Set(changes.categories),
    fileSystem: changes.file_system ?? level.fileSystem,
    codeExecution: changes.code_execution ?? level.codeExecution,
    network: changes.network ?? level.network,
    git: changes.git ?? level.git,
    terminal: changes.terminal ?? level.terminal,
    deployment: changes.deployment ?? level.deployment,
    approval: changes.requires_approval === undefined ? level.approval : new Set(changes.requires_approval),
  };
}

/** The agent's own, or else the tenant's. */
function compileAutonomyOf(source: PolicySource, path: ConfigPath, agent: AgentConfig): Autonomy | undefined {
  const at = agent.autonomy === undefined ? source.tenantPath('autonomy') : [...path, 'autonomy'];
  const config: AutonomyConfig | undefined = agent.autonomy ?? source.own?.autonomy;
  if (config === undefined) return undefined;
  const parts = typeof config === 'string' ? { preset: config, overrides: {} } : config;
  return compileAutonomy(parts, source.types, source.quote(at, parts.preset));
}

function compileContext(source: PolicySource, name: string, agent: string): SecurityContext {
  const own = source.own?.security_contexts;
  const isOwn = own !== undefined && Object.hasOwn(own, name);
  const path: ConfigPath = isOwn ? source.tenantPath('security_contexts', name) : ['security_contexts', name];
  const context = (isOwn ? own : source.config.security_contexts)[name];
  if (context === undefined) throw source.invalid(path, `there is no security context \`${name}\``);
  const capabilities = context.capabilities?.map((capability, index) => {
    const at = [...path, 'capabilities', index];
    // Counted for the agent, so that a new session resets nothing.
    return compileCapability(source, capability, at, `${agent}/${name}/${index}`);
  });
  return {
    name,
    denied: new ToolSet(context.deny_list),
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}

function compileCapability(
  source: PolicySource,
  config: CapabilityConfig,
  path: ConfigPath,
  key: string,
): Capability {
  const quote = source.quote(path, `capability ${config.tool}`);
  const { path_allowlist, domain_allowlist, account_allowlist, subcommand_allowlist, rate } = config;
  const { target, max_output_bytes, timeout_seconds } = config;
  return {
    ...quote,
    tools: new ToolSet([config.tool]),
    ...(target === undefined ? {} : { target: compileTarget(target) }),
    ...(path_allowlist === undefined ? {} : { paths: path_allowlist.map(withoutSlash) }),
    ...(domain_allowlist === undefined ? {} : { domains: new HostSet(domain_allowlist) }),
    ...(account_allowlist === undefined
      ? {}
      : { accounts: new Set(account_allowlist.map((account) => account.toLowerCase())) }),
    ...(subcommand_allowlist === undefined
      ? {}
      : { subcommands: source.subcommands(subcommand_allowlist, [...path, 'subcommand_allowlist']) }),
    ...(rate === undefined ? {} : { rate: compileRate(rate, quote, key) }),
    ...(max_output_bytes === undefined ? {} : { maxOutputBytes: max_output_bytes }),
    ...(timeout_seconds === undefined ? {} : { timeoutMs: timeout_seconds * 1_000 }),
  };
}

function compileTarget({ arg, kind }: NonNullable<CapabilityConfig['target']>): ArgumentTarget | 'none' {
  return kind === 'none' || arg === undefined ? 'none' : { arg, kind };
}

function compileRate(rate: NonNullable<CapabilityConfig['rate']>, quote: Quote, key: string): RateLimit {
  return { ...quote, key, calls: rate.calls, windowMs: rate.per_seconds * 1_000 };
}

function withoutSlash(folder: string): string {
  return folder.length > 1 && folder.endsWith('/') ? folder.slice(0, -1) : folder;
}
