import { ACTION_TYPES, API_ACTION_TYPES, BUILT_IN_CUSTOM_TYPES } from '@sallyport/protocol';
import {
  type Config,
  type ConfigPath,
  GIT_PROVIDERS,
  type GitProvider,
  type LoadedConfig,
} from '../../config/index.ts';
import { compileGlob } from '../../shared/glob.ts';
import { compileDomainPatterns } from '../../shared/host.ts';
import type { HostLists } from '../../shared/listed-host.ts';
import { parseOpenAddress } from '../../shared/open-address.ts';
import { HostIndex, HostSet, parseHostPattern } from '../rules/patterns/host-index.ts';
import type { RuleAction } from '../rules/selectors/selector.ts';
import { compileAgent } from './compile-agent.ts';
import { compileMode } from './compile-mode.ts';
import type {
  ClosedFolder,
  CompiledPolicy,
  NetworkPolicy,
  NetworkRule,
  ProviderEntry,
  Quote,
  SubcommandAllowlist,
} from './compiled-policy.ts';
import { compileLentHosts } from './lent-hosts.ts';
import type { PolicyOptions } from './policy-options.ts';
import { PolicySource } from './policy-source.ts';

/**
 * Compiles the policy of one tenant. Once for each revision of the config: judging then looks nothing up.
 *
 * The config is valid: `policyChecks` ran. Throws `ConfigInvalid` for a rule that it would have refused, so
 * that an unchecked config is never half in force. A tenant that the config does not have gets the top level.
 */
export function compilePolicy(loaded: LoadedConfig, tenant: string, options: PolicyOptions): CompiledPolicy {
  const source = new PolicySource(loaded, tenant, options);
  const { config, own } = source;
  const providers = [...(own?.providers ?? []), ...config.providers];
  const agents = { ...config.agents, ...own?.agents };
  return {
    revision: loaded.revision,
    tenant,
    rules: [
      source.ruleList(['permissions'], config.permissions),
      source.ruleList(source.tenantPath('permissions'), own?.permissions ?? []),
    ].filter((list) => list !== undefined),
    agents: new Map(Object.keys(agents).map((name) => [name, compileAgent(source, name)])),
    network: compileNetwork(source, options.lists),
    ...compileCeiling(source),
    mode: compileMode(source),
    closedFolders: (options.closedPaths ?? []).map((path) => closedFolder(path, options.home)),
    quorumTypes: new Set(quorumTypes(source)),
    criticalCredentials: criticalCredentials(source),
    grants: { allowAlways: own?.grants.allow_always ?? true },
    providers,
    gitHosts: compileGitHosts(providers),
  };
}

function closedFolder(path: string, home: string): ClosedFolder {
  const parts = path.split('/').filter((part) => part !== '');
  const name = parts.at(-1);
  return {
    path,
    parts,
    belowHome: path.startsWith(`${home}/`) ? path.slice(home.length + 1) : undefined,
    name: name?.startsWith('.') === true && name.length > 3 ? name : undefined,
  };
}

/** A category under `approvals.quorum.types` stands for all its types. */
function quorumTypes({ config, own }: PolicySource): readonly string[] {
  const wanted = (own?.approvals ?? config.approvals).quorum?.types ?? [];
  const known = [...ACTION_TYPES, ...BUILT_IN_CUSTOM_TYPES, ...API_ACTION_TYPES, ...config.custom_types];
  return known.filter((type) => wanted.includes(type) || wanted.includes(type.slice(0, type.indexOf(':'))));
}

function criticalCredentials({ own }: PolicySource): ReadonlySet<string> {
  const marked = Object.entries(own?.credentials ?? {}).filter(([, { risk }]) => risk === 'critical');
  return new Set(marked.map(([name]) => name));
}

function compileGitHosts(providers: readonly ProviderEntry[]): CompiledPolicy['gitHosts'] {
  const hostsOf = (wanted: GitProvider): HostSet => {
    const named = providers.filter(({ provider }) => provider === wanted);
    const own = GIT_PROVIDERS[wanted];
    return new HostSet([
      ...(own === undefined ? [] : [own]),
      ...named.map(({ host }) => host.replace(/:\d+$/, '')),
    ]);
  };
  return {
    github: hostsOf('github'),
    gitlab: hostsOf('gitlab'),
    bitbucket: hostsOf('bitbucket'),
    git: hostsOf('git'),
  };
}

function compileCeiling(source: PolicySource): { readonly commandCeiling?: SubcommandAllowlist } {
  const allowlist = source.config.builtin_dispatchers.cmd?.subcommand_allowlist;
  if (allowlist === undefined) return {};
  const path = ['builtin_dispatchers', 'cmd', 'subcommand_allowlist'];
  return { commandCeiling: source.subcommands(allowlist, path) };
}

type NetworkConfig = NonNullable<Config['network']>;
const ORDER: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

function compileNetwork(source: PolicySource, lists: HostLists): NetworkPolicy {
  const sections: readonly (readonly [ConfigPath, NetworkConfig | undefined])[] = [
    [source.tenantPath('network'), source.own?.network],
    [['network'], source.config.network],
  ];
  let fallback: RuleAction | undefined;
  let fallbackQuote: Quote = { rule: 'network.default: ask' };
  const indexes: HostIndex<NetworkRule>[] = [];
  for (const [path, section] of sections) {
    if (section === undefined) continue;
    if (section.rules.length > 0) indexes.push(compileNetworkRules(source, path, section, lists));
    if (section.default === undefined) continue;
    if (fallback !== undefined && ORDER[section.default] <= ORDER[fallback]) continue;
    fallback = section.default;
    fallbackQuote = source.quote([...path, 'default'], `network.default: ${section.default}`);
  }
  // The schema refuses what does not parse; here it opens nothing.
  const open = sections.flatMap(([, section]) =>
    (section?.allow_private ?? []).map(parseOpenAddress).filter((entry) => entry !== undefined),
  );
  const passAuth = compileDomainPatterns(sections.flatMap(([, section]) => section?.pass_auth ?? []));
  const passesAuth = (host: string): boolean => passAuth(host) !== undefined;
  const readBudget = compileReadBudget(source, sections);
  const lends = compileLentHosts(source);
  return { lists: indexes, fallback: fallback ?? 'ask', fallbackQuote, open, lends, passesAuth, readBudget };
}

const READ_BUDGET = { request: 2_048, session: 65_536 };

/** Of the top level's and the tenant's the smaller one. */
function compileReadBudget(
  source: PolicySource,
  sections: readonly (readonly [ConfigPath, NetworkConfig | undefined])[],
): NetworkPolicy['readBudget'] {
  const given = sections.flatMap(([path, section]) =>
    section?.read_budget === undefined ? [] : [{ path, ...section.read_budget }],
  );
  const least = (key: 'request' | 'session'): number =>
    Math.min(
      ...given.map((budget) => budget[key] ?? READ_BUDGET[key]),
      ...(given.length > 0 ? [] : [READ_BUDGET[key]]),
    );
  const [request, session] = [least('request'), least('session')];
  const rule = `network.read_budget: { request: ${request}, session: ${session} }`;
  const [first] = given;
  const quote = first === undefined ? { rule } : source.quote([...first.path, 'read_budget'], rule);
  return { request, session, quote };
}

function compileNetworkRules(
  source: PolicySource,
  path: ConfigPath,
  section: NetworkConfig,
  lists: HostLists,
): HostIndex<NetworkRule> {
  const index = new HostIndex<NetworkRule>(lists);
  section.rules.forEach((rule, order) => {
    const host = parseHostPattern(rule.host);
    const at = [...path, 'rules', order];
    if (host === undefined) throw source.invalid(at, `\`${rule.host}\` is not a host pattern`);
    index.insert(host, '', {
      ...source.quote(at, describeNetworkRule(rule)),
      order,
      host,
      action: rule.action,
      ...(rule.port === undefined ? {} : { ports: new Set([rule.port].flat()) }),
      ...(rule.method === undefined ? {} : { methods: new Set([rule.method].flat()) }),
      ...(rule.path === undefined ? {} : { path: compileGlob(rule.path, 'path') }),
    });
  });
  return index;
}

function describeNetworkRule({ action, host, port, method, path }: NetworkConfig['rules'][number]): string {
  const methods = method === undefined ? '' : `${[method].flat().join(',')} `;
  const ports = port === undefined ? '' : `:${[port].flat().join(',')}`;
  return `${action} ${methods}${host}${ports}${path ?? ''}`;
}
