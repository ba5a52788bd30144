import type { Config, ConfigCheck, ConfigPath, ConfigProblem } from '../../config/index.ts';
import { parseDomainPattern } from '../../shared/host.ts';
import { didYouMean } from '../../shared/suggest.ts';
import { isFamily, TOOL_NAMES } from '../../tools/index.ts';
import { TypeRegistry } from '../rules/patterns/action-types.ts';
import { type Parsed, parseGlob } from '../rules/patterns/parsed.ts';
import { parseToolPattern, type ToolPattern } from '../rules/patterns/tool-table.ts';
import { type ParsedRule, parseRule, parseSelector } from '../rules/selector.ts';
import type { Selector } from '../rules/selectors/selector.ts';
import { findShadows } from '../rules/shadows.ts';
import { checkCapabilityTarget } from './policy-capability-check.ts';
import { checkNetwork } from './policy-network-check.ts';

export interface PolicyCheckOptions {
  /** names of the host lists, without the `@` */
  readonly lists: Iterable<string>;
}

type AgentConfig = Config['agents'][string];
type ContextsConfig = Config['security_contexts'];
type Exceptions = Config['tenants'][string]['exceptions'];

/**
 * Makes the check that finds what a policy names and nothing has: tools, types, lists, contexts; rules that
 * cannot be read; rules that an earlier one of the same list hides. All are errors: a typo in a policy is
 * never a silent no-op.
 */
export function createPolicyChecks(options: PolicyCheckOptions): ConfigCheck {
  const lists = new Set(options.lists);
  return (config) => new Checker(config, lists).run();
}

class Checker {
  readonly #config: Config;
  readonly #lists: ReadonlySet<string>;
  readonly #tools: ReadonlySet<string>;
  /** beginnings of names that MCP servers have: `jira.` */
  readonly #families: readonly string[];
  readonly #types: TypeRegistry;
  readonly #problems: ConfigProblem[] = [];

  constructor(config: Config, lists: ReadonlySet<string>) {
    this.#config = config;
    this.#lists = lists;
    const capabilities = config.mcp_servers.flatMap((server) => server.capabilities);
    this.#tools = new Set([...TOOL_NAMES, ...capabilities.filter((name) => !name.endsWith('*'))]);
    this.#families = capabilities.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
    this.#types = new TypeRegistry(config.custom_types);
  }

  run(): readonly ConfigProblem[] {
    const config = this.#config;
    this.#rules(['permissions'], config.permissions);
    this.#network(['network'], config.network);
    this.#contexts(['security_contexts'], config.security_contexts);
    this.#providers(['providers'], config.providers);
    const contextsOfTenants = Object.values(config.tenants).map(({ security_contexts }) => security_contexts);
    for (const [name, agent] of Object.entries(config.agents))
      this.#agent(['agents', name], agent, contextsOfTenants.length === 0 ? [{}] : contextsOfTenants);
    for (const [name, tenant] of Object.entries(config.tenants)) {
      const path = ['tenants', name];
      this.#rules([...path, 'permissions'], tenant.permissions);
      this.#network([...path, 'network'], tenant.network);
      this.#contexts([...path, 'security_contexts'], tenant.security_contexts);
      this.#providers([...path, 'providers'], tenant.providers);
      this.#autonomy([...path, 'autonomy'], tenant.autonomy);
      this.#branches([...path, 'branches'], tenant.branches);
      this.#exceptions([...path, 'exceptions'], tenant.exceptions);
      for (const [agent, own] of Object.entries(tenant.agents))
        this.#agent([...path, 'agents', agent], own, [tenant.security_contexts]);
    }
    return this.#problems;
  }

  #report(path: ConfigPath, message: string, hint?: string): void {
    this.#problems.push({ severity: 'error', path, message, ...(hint === undefined ? {} : { hint }) });
  }

  #take<T>(path: ConfigPath, parsed: Parsed<T>): T | undefined {
    if (parsed.ok) return parsed.value;
    this.#report(path, parsed.message, parsed.hint);
    return undefined;
  }

  #rules(path: ConfigPath, texts: readonly string[]): void {
    const rules = texts.map((text, index): ParsedRule | undefined => {
      const rule = this.#take([...path, index], parseRule(text, this.#types));
      if (rule !== undefined) this.#selector([...path, index], rule.selector);
      return rule;
    });
    for (const { index, by } of findShadows(rules)) {
      this.#report(
        [...path, index],
        `rule \`${texts[index] ?? ''}\` is never reached: \`${texts[by] ?? ''}\` comes before it`,
        'move it up, or remove it',
      );
    }
  }

  #selector(path: ConfigPath, selector: Selector): void {
    if (selector.kind === 'type') return;
    this.#tool(path, selector.tool);
    if (selector.kind === 'request' && selector.host.kind === 'list') this.#list(path, selector.host.list);
  }

  #list(path: ConfigPath, name: string): void {
    if (this.#lists.has(name)) return;
    this.#report(path, `there is no list \`@${name}\``, didYouMean(name, this.#lists));
  }

  #tool(path: ConfigPath, { name, wildcard }: ToolPattern): void {
    if (name === '' || name.startsWith('mcp:') || this.#tools.has(name)) return;
    if (this.#families.some((family) => name.startsWith(family))) return;
    if (wildcard && (isFamily(name) || [...this.#tools].some((tool) => tool.startsWith(name)))) return;
    this.#report(path, `there is no tool \`${name}${wildcard ? '*' : ''}\``, didYouMean(name, this.#tools));
  }

  #toolTexts(path: ConfigPath, texts: readonly string[]): void {
    texts.forEach((text, index) => {
      this.#toolText([...path, index], text);
    });
  }

  #toolText(path: ConfigPath, text: string): void {
    const pattern = parseToolPattern(text);
    if (pattern !== undefined) this.#tool(path, pattern);
    else this.#report(path, `\`${text}\` is not the name of a tool`, didYouMean(text, this.#tools));
  }

  #agent(path: ConfigPath, agent: AgentConfig, contexts: readonly ContextsConfig[]): void {
    this.#toolTexts([...path, 'tools'], agent.tools ?? []);
    this.#toolTexts([...path, 'disallowed_tools'], agent.disallowed_tools);
    this.#rules([...path, 'permissions'], agent.permissions);
    this.#autonomy([...path, 'autonomy'], agent.autonomy);
    for (const tool of Object.keys(agent.execution?.tool_validation ?? {}))
      this.#toolText([...path, 'execution', 'tool_validation', tool], tool);
    const name = agent.security_context;
    if (name === undefined || Object.hasOwn(this.#config.security_contexts, name)) return;
    if (contexts.every((own) => Object.hasOwn(own, name))) return;
    const known = [...Object.keys(this.#config.security_contexts), ...contexts.flatMap(Object.keys)];
    const hint = didYouMean(name, known);
    this.#report([...path, 'security_context'], `there is no security context \`${name}\``, hint);
  }

  #autonomy(path: ConfigPath, autonomy: AgentConfig['autonomy']): void {
    if (typeof autonomy !== 'object') return;
    for (const text of Object.keys(autonomy.overrides)) {
      if (this.#types.parse(text) !== undefined) continue;
      const message = `\`${text}\` is no action type and no category`;
      this.#report([...path, 'overrides', text], message, this.#types.hintFor(text));
    }
  }

  #contexts(path: ConfigPath, contexts: ContextsConfig): void {
    for (const [name, context] of Object.entries(contexts)) {
      this.#toolTexts([...path, name, 'deny_list'], context.deny_list);
      context.capabilities?.forEach((capability, index) => {
        const at = [...path, name, 'capabilities', index];
        this.#toolText([...at, 'tool'], capability.tool);
        this.#problems.push(...checkCapabilityTarget(at, capability));
        capability.domain_allowlist?.forEach((domain, place) => {
          if (parseDomainPattern(domain) === undefined)
            this.#report([...at, 'domain_allowlist', place], `\`${domain}\` is not a host pattern`);
        });
      });
    }
  }

  #network(path: ConfigPath, network: Config['network']): void {
    if (network === undefined) return;
    for (const problem of checkNetwork(path, network, this.#lists)) this.#problems.push(problem);
  }

  #providers(path: ConfigPath, providers: Config['providers']): void {
    providers.forEach(({ host }, index) => {
      const name = host.replace(/^(\[.*\]|[^:]*):\d{1,5}$/, '$1');
      if (parseDomainPattern(name) === undefined)
        this.#report([...path, index, 'host'], `\`${host}\` is not a host`);
    });
  }

  #branches(path: ConfigPath, branches: Config['tenants'][string]['branches']): void {
    for (const key of ['owned', 'protected'] as const) {
      branches[key].forEach((pattern, index) => {
        this.#take([...path, key, index], parseGlob(pattern, 'command'));
        const unknown = /\{(?!user\}|agent\})[^}]*\}/.exec(pattern);
        if (unknown !== null || (key === 'protected' && /\{(user|agent)\}/.test(pattern)))
          this.#report(
            [...path, key, index],
            `\`${pattern}\` has a placeholder that means nothing here`,
            '`{user}` and `{agent}` are filled in under `owned`',
          );
      });
    }
  }

  #exceptions(path: ConfigPath, exceptions: Exceptions): void {
    exceptions.forEach((exception, index) => {
      const at = [...path, index];
      if (typeof exception === 'string') {
        const selector = this.#take(at, parseSelector(exception, this.#types));
        if (selector !== undefined) this.#selector(at, selector);
      } else if ('paths' in exception) {
        exception.paths?.forEach((pattern, place) => {
          this.#take([...at, 'paths', place], parseGlob(pattern, 'path'));
        });
      }
    });
  }
}
