import { SallyportError } from '@sallyport/protocol';
import type { Config, ConfigPath, LoadedConfig, TenantConfig } from '../../config/index.ts';
import type { RuleSource } from '../rules/compile-rule.ts';
import { TypeRegistry } from '../rules/patterns/action-types.ts';
import { RuleList } from '../rules/rule-list.ts';
import { parseRule } from '../rules/selector.ts';
import type { Quote, SubcommandAllowlist } from './compiled-policy.ts';
import { type PolicyOptions, withPlatformRoot } from './policy-options.ts';

/** The config of one tenant while it is compiled, with the places that opinions will quote. */
export class PolicySource {
  readonly config: Config;
  readonly tenant: string;
  /** the tenant's own section; undefined when the config does not have it */
  readonly own: TenantConfig | undefined;
  readonly options: PolicyOptions;
  readonly types: TypeRegistry;
  readonly #loaded: LoadedConfig;

  constructor(loaded: LoadedConfig, tenant: string, options: PolicyOptions) {
    this.#loaded = loaded;
    this.config = loaded.config;
    this.tenant = tenant;
    this.own = Object.hasOwn(loaded.config.tenants, tenant) ? loaded.config.tenants[tenant] : undefined;
    this.options = withPlatformRoot(options, loaded.config);
    this.types = new TypeRegistry(loaded.config.custom_types);
  }

  tenantPath(...rest: ConfigPath): ConfigPath {
    return ['tenants', this.tenant, ...rest];
  }

  quote(path: ConfigPath, rule: string): Quote {
    const at = this.#loaded.at(path);
    return at === undefined ? { rule } : { rule, at };
  }

  /** undefined for an empty list, which has nothing to say */
  ruleList(path: ConfigPath, texts: readonly string[]): RuleList | undefined {
    if (texts.length === 0) return undefined;
    const sources = texts.map((text, index) => this.#rule([...path, index], text));
    return this.compileRules(sources);
  }

  compileRules(sources: readonly RuleSource[]): RuleList {
    return new RuleList(sources, this.options, this.options.lists);
  }

  #rule(path: ConfigPath, text: string): RuleSource {
    const parsed = parseRule(text, this.types);
    if (!parsed.ok) throw this.invalid(path, `${parsed.message}: \`${text}\``, parsed.hint);
    const { at } = this.quote(path, text);
    return { text, rule: parsed.value, ...(at === undefined ? {} : { at }) };
  }

  subcommands(allowlist: Readonly<Record<string, readonly string[]>>, path: ConfigPath): SubcommandAllowlist {
    return {
      ...this.quote(path, path.join('.')),
      programs: new Map(Object.entries(allowlist).map(([program, words]) => [program, new Set(words)])),
    };
  }

  invalid(path: ConfigPath, message: string, hint?: string): SallyportError {
    const details = { path: path.join('.') };
    return new SallyportError('ConfigInvalid', { message, details, ...(hint === undefined ? {} : { hint }) });
  }
}
