import type { ArgumentTarget, Effect, Position, Risk } from '@sallyport/protocol';
import type { ToolValidation } from '../../approvals/index.ts';
import type { GitProvider } from '../../config/index.ts';
import type { Glob } from '../../shared/glob.ts';
import type { OpenAddress } from '../../shared/open-address.ts';
import type { ToolCategory } from '../../tools/index.ts';
import type { HostIndex, HostPattern, HostSet } from '../rules/patterns/host-index.ts';
import { parseToolPattern, toolGroup } from '../rules/patterns/tool-table.ts';
import type { RuleList } from '../rules/rule-list.ts';
import type { RuleAction } from '../rules/selectors/selector.ts';

/** One setting, as the sentence and place that an opinion quotes. */
export interface Quote {
  readonly rule: string;
  readonly at?: Position;
}

/** Program → allowed first words; `*` in the set stands for any. */
export interface SubcommandAllowlist extends Quote {
  readonly programs: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface Capability extends Quote {
  readonly tools: ToolSet;
  /** the argument that says where a call leads; `none`: the tool has none; absent: what is built in */
  readonly target?: ArgumentTarget | 'none';
  /** absolute folders, no slash at the end */
  readonly paths?: readonly string[];
  readonly domains?: HostSet;
  /** lower case */
  readonly accounts?: ReadonlySet<string>;
  readonly subcommands?: SubcommandAllowlist;
  readonly rate?: RateLimit;
  readonly maxOutputBytes?: number;
  readonly timeoutMs?: number;
}

/** A sliding window. `admit` counts every call under `key`, refused ones too; `judge` reads the count. */
export interface RateLimit extends Quote {
  readonly key: string;
  readonly calls: number;
  readonly windowMs: number;
}

export interface SecurityContext {
  readonly name: string;
  readonly denied: ToolSet;
  /** undefined: no limit; empty: no tool is covered */
  readonly capabilities?: readonly Capability[];
}

export interface AccessLevel extends Quote {
  readonly name: string;
  readonly description: string;
  readonly categories: ReadonlySet<ToolCategory>;
  readonly fileSystem: 'workspace_only' | 'project_directory' | 'full';
  readonly codeExecution: 'none' | 'containerized' | 'full';
  readonly network: 'none' | 'allowlist_only' | 'open';
  readonly git: 'local_only' | 'read_and_branch' | 'full';
  readonly terminal: 'none' | 'restricted_commands' | 'full';
  readonly deployment: boolean;
  readonly approval: ReadonlySet<'deployment' | 'database_write'>;
}

export type AutonomyAnswer = 'auto' | 'review' | 'human' | 'deny';

export interface Autonomy extends Quote {
  answer(type: string, effect: Effect, risk: Risk): AutonomyAnswer;
}

/** What a model checks before each call of these tools. */
export interface CompiledValidation extends ToolValidation {
  readonly tools: ToolSet;
}

export interface CompiledAgent {
  readonly name: string;
  /** undefined: every tool */
  readonly tools?: ToolSet;
  readonly disallowed: ToolSet;
  readonly rules?: RuleList;
  readonly level?: AccessLevel;
  readonly context?: SecurityContext;
  readonly autonomy?: Autonomy;
  readonly maxCalls?: number;
  readonly validations?: readonly CompiledValidation[];
}

export interface NetworkRule extends Quote {
  readonly order: number;
  readonly host: HostPattern;
  readonly ports?: ReadonlySet<number>;
  readonly methods?: ReadonlySet<string>;
  readonly path?: Glob;
  readonly action: RuleAction;
}

export interface NetworkPolicy {
  /** the tenant's first, then the top level's */
  readonly lists: readonly HostIndex<NetworkRule>[];
  /** what no rule names */
  readonly fallback: RuleAction;
  readonly fallbackQuote: Quote;
  /** what `allow_private` opens, for every tenant and for this one */
  readonly open: readonly OpenAddress[];
  /** what reads may carry out before a person is asked, in characters: one of them, and all of a session to one host */
  readonly readBudget: { readonly request: number; readonly session: number; readonly quote: Quote };
  /** Whether the config names the host by setting up this credential for it. */
  readonly lends: (credential: string, host: string) => boolean;
  /** Whether the host gets the agent's own auth. */
  readonly passesAuth: (host: string) => boolean;
}

/** Writes to repositories: of one area, at the hosts of one provider. */
export interface RepositoryException {
  readonly kind: 'repository';
  readonly provider: GitProvider;
  readonly area: 'contents' | 'actions' | 'collaboration';
  /** `github.com/acme/app`, or `github.com/acme/*`; undefined: those of the workspace */
  readonly repositories?: ReadonlySet<string>;
  readonly quote: Quote;
}

export type ModeException =
  | RepositoryException
  | {
      readonly kind: 'provider';
      readonly provider: string;
      readonly methods?: ReadonlySet<string>;
      readonly paths?: readonly Glob[];
      readonly operation?: string;
      readonly quote: Quote;
    };

export interface ModePolicy {
  readonly mode: 'strict' | 'cautious';
  /** patterns with `{user}` and `{agent}` still in them */
  readonly owned: readonly string[];
  readonly protected: readonly Glob[];
  readonly exceptions: readonly ModeException[];
  /** the exceptions that are selectors of rules, as `allow` rules */
  readonly selectors: RuleList;
}

/** A folder that no tool ever reaches, ready to be looked for. */
export interface ClosedFolder {
  /** absolute, where it leads */
  readonly path: string;
  readonly parts: readonly string[];
  /** below the person's home, as texts write it (`~/x`, `$HOME/x`); undefined elsewhere */
  readonly belowHome: string | undefined;
  /** its own name, where that is hidden and so hardly anything else: `.sallyport` */
  readonly name: string | undefined;
}

/**
 * All that `judge` knows of one tenant's configuration, compiled once for each revision of the config.
 * Immutable; safe to share between judgements.
 */
export interface CompiledPolicy {
  readonly revision: string;
  readonly tenant: string;
  /** the tenant's list and the top level's, those that have rules */
  readonly rules: readonly RuleList[];
  readonly agents: ReadonlyMap<string, CompiledAgent>;
  readonly network: NetworkPolicy;
  /** ceiling of `cmd.run` */
  readonly commandCeiling?: SubcommandAllowlist;
  readonly mode: ModePolicy;
  /** folders that no tool ever reaches: the gateway's own home */
  readonly closedFolders: readonly ClosedFolder[];
  /** types that more than one person decides */
  readonly quorumTypes: ReadonlySet<string>;
  /** credentials marked `risk: critical` */
  readonly criticalCredentials: ReadonlySet<string>;
  readonly grants: { readonly allowAlways: boolean };
  /** hosts that speak a known API under another name, the tenant's first: what `actions/` classifies with */
  readonly providers: readonly ProviderEntry[];
  /** hosts with repositories, by what they speak: the provider's own and those of `providers` */
  readonly gitHosts: Readonly<Record<GitProvider, HostSet>>;
}

export interface ProviderEntry {
  /** `host`, `*.host`, with or without `:port` */
  readonly host: string;
  readonly provider: string;
}

/** A list of tools as configs write it: names, groups, `fs.*`, `mcp:github/*`, `*`. */
export class ToolSet {
  readonly #names = new Set<string>();
  readonly #prefixes: string[] = [];

  /** An entry that cannot be read names nothing; the config check reports it. */
  constructor(patterns: readonly string[]) {
    for (const text of patterns) {
      const pattern = parseToolPattern(text);
      if (pattern === undefined) continue;
      if (pattern.wildcard) this.#prefixes.push(pattern.name);
      else for (const name of toolGroup(pattern.name)) this.#names.add(name);
    }
  }

  has(tool: string): boolean {
    if (this.#names.has(tool)) return true;
    for (const prefix of this.#prefixes) if (tool.startsWith(prefix)) return true;
    return false;
  }
}
