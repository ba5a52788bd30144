import type { Action, Actor } from '@sallyport/protocol';
import type { LoadedConfig } from '../../config/index.ts';
import {
  rbacOf,
  type TenantPolicy,
  tenantPolicyOf,
  type Rights as UserRights,
} from '../../identity/index.ts';
import { SelectorMatcher } from '../rules/selector-matcher.ts';
import { compilePolicy } from './compile-policy.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { type PolicyOptions, withPlatformRoot } from './policy-options.ts';
import type { Rights } from './snapshot.ts';

/** Every tenant's policy of one config, compiled when first asked for. A new config makes a new set. */
export class PolicySet {
  readonly loaded: LoadedConfig;
  readonly matcher: SelectorMatcher;
  readonly #options: PolicyOptions;
  readonly #policies = new Map<string, CompiledPolicy>();
  readonly #tenants = new Map<string, TenantPolicy>();

  constructor(loaded: LoadedConfig, options: PolicyOptions) {
    this.loaded = loaded;
    this.#options = options;
    const bases = withPlatformRoot(options, loaded.config);
    this.matcher = new SelectorMatcher(bases, options.lists, loaded.config.custom_types);
  }

  /** Undefined for a tenant that the config does not have. */
  policyOf(tenant: string): CompiledPolicy | undefined {
    if (!Object.hasOwn(this.loaded.config.tenants, tenant)) return undefined;
    let policy = this.#policies.get(tenant);
    if (policy === undefined) {
      policy = compilePolicy(this.loaded, tenant, this.#options);
      this.#policies.set(tenant, policy);
    }
    return policy;
  }

  /** What the roles of the action's user give to it: user ∩ every agent in the chain. */
  rightsOf(action: Action): Rights {
    const tenant = this.tenantOf(action.actor.tenant);
    if (tenant === undefined)
      return { permitted: false, reason: `there is no tenant \`${action.actor.tenant}\`` };
    const { user, chain } = action.actor;
    return rightsOfAction(rbacOf(tenant).rightsOf({ user, chain }), action, this.matcher);
  }

  /** Whether the roles of the actor's user reach any use of the tool. */
  mayUseSomehow({ tenant: name, user, chain }: Actor, tool: string): boolean {
    const tenant = this.tenantOf(name);
    return tenant !== undefined && rbacOf(tenant).rightsOf({ user, chain }).mayUseSomehow(tool);
  }

  /** Users, roles and agents of a tenant; its own definition of a name comes before the shared one. */
  tenantOf(name: string): TenantPolicy | undefined {
    const { config } = this.loaded;
    const tenant = Object.hasOwn(config.tenants, name) ? config.tenants[name] : undefined;
    if (tenant === undefined) return undefined;
    let policy = this.#tenants.get(name);
    if (policy === undefined) {
      policy = tenantPolicyOf(config, tenant);
      this.#tenants.set(name, policy);
    }
    return policy;
  }
}

/** What the roles of the user behind a session give to this action. */
export function rightsOfAction(rights: UserRights, action: Action, matcher: SelectorMatcher): Rights {
  const { user, agent, chain } = action.actor;
  const acting = agent ?? '';
  if (!rights.mayUseAgent(acting)) {
    const through = chain.length > 1 ? ` through ${chain.join(' → ')}` : '';
    return {
      permitted: false,
      reason: `\`${user ?? 'nobody'}\` may not use the agent \`${acting}\`${through}`,
    };
  }
  const mayUse = rights.mayUseTool({
    tool: action.tool,
    matches: (pattern, as) => matcher.matches(`${action.tool}(${pattern})`, action, as),
  });
  if (mayUse) return { permitted: true };
  return { permitted: false, reason: `the roles of \`${user ?? 'nobody'}\` do not reach \`${action.tool}\`` };
}
