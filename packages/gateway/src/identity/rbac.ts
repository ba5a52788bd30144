import { RoleRights, type ToolUse } from './role-rights.ts';

/** Roles and users of one tenant, as plain data. */
export interface RbacPolicy {
  readonly roles: Readonly<Record<string, RolePolicy>>;
  readonly users: Readonly<Record<string, { readonly roles: readonly string[] }>>;
}

export interface RolePolicy {
  readonly allow: readonly string[];
  readonly deny?: readonly string[] | undefined;
}

/** What someone may do. No answer depends on time or I/O. */
export interface Rights {
  mayUseAgent(agent: string): boolean;
  mayUseTool(use: ToolUse): boolean;
  /** Whether there is any use of the tool that the roles reach: what a list of tools asks. */
  mayUseSomehow(tool: string): boolean;
  /** `type` is an action type: `vcs:push`, `exec_cmd` */
  mayApprove(type: string): boolean;
}

/** Who acts: a user, through agents from the first to the one that acts. */
export interface Bearer {
  readonly user: string | undefined;
  readonly chain: readonly string[];
}

/** Compiled rights of a tenant's users. Compile once for each config, ask on every judgement. */
export interface Rbac {
  /**
   * Rights of the user as far as every agent of the chain may carry them.
   *
   * Unknown user, or an agent in the chain that the user may not use: no rights at all. So a longer chain
   * never has more rights than a shorter one.
   */
  rightsOf(bearer: Bearer): Rights;
}

const NO_RIGHTS: Rights = Object.freeze({
  mayUseAgent: () => false,
  mayUseTool: () => false,
  mayUseSomehow: () => false,
  mayApprove: () => false,
});

/** Throws `ConfigInvalid` for a selector that cannot be read. */
export function compileRbac(policy: RbacPolicy): Rbac {
  const rights = new Map<string, Rights>();
  for (const [user, { roles }] of Object.entries(policy.users)) {
    rights.set(user, rightsOfRoles(policy.roles, roles));
  }
  return {
    rightsOf: ({ user, chain }) => {
      const own = user === undefined ? undefined : rights.get(user);
      if (own === undefined) return NO_RIGHTS;
      return chain.every((agent) => own.mayUseAgent(agent)) ? own : NO_RIGHTS;
    },
  };
}

function rightsOfRoles(roles: RbacPolicy['roles'], names: readonly string[]): Rights {
  const allow: string[] = [];
  const deny: string[] = [];
  for (const name of names) {
    const role = Object.hasOwn(roles, name) ? roles[name] : undefined;
    // SECURITY: a role that is not there may be one that denied something.
    if (role === undefined) return NO_RIGHTS;
    allow.push(...role.allow);
    deny.push(...(role.deny ?? []));
  }
  return new CompiledRights(allow, deny);
}

class CompiledRights implements Rights {
  readonly #allow: RoleRights;
  readonly #deny: RoleRights;

  constructor(allow: readonly string[], deny: readonly string[]) {
    this.#allow = new RoleRights('allow', allow);
    this.#deny = new RoleRights('deny', deny);
  }

  mayUseAgent(agent: string): boolean {
    return this.#allow.coversAgent(agent) && !this.#deny.coversAgent(agent);
  }

  mayUseTool(use: ToolUse): boolean {
    return this.#allow.coversTool(use) && !this.#deny.coversTool(use);
  }

  mayUseSomehow(tool: string): boolean {
    return this.#allow.coversSomeOf(tool) && !this.#deny.coversSomeOf(tool);
  }

  mayApprove(type: string): boolean {
    return this.#allow.coversApproval(type) && !this.#deny.coversApproval(type);
  }
}
