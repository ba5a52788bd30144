import type { ActionType } from './action-type.ts';
import type { Door } from './door.ts';

export const RISKS = ['low', 'medium', 'high', 'critical'] as const;
export const CONFINEMENTS = ['jailed', 'unconfined'] as const;

export type Risk = (typeof RISKS)[number];
export type Confinement = (typeof CONFINEMENTS)[number];
export type Effect = 'read' | 'write';
/**
 * Where an action has its effect. `workspace`: what the agent owns: its folder and scratch space, or all of its jail.
 * `host`: the rest of this machine. `remote`: the outside world.
 */
export type Reach = 'workspace' | 'host' | 'remote';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Who wants it. */
export interface Actor {
  readonly tenant: string;
  readonly user?: string;
  readonly agent?: string;
  /** API client id, on the API door only */
  readonly client?: string;
  readonly session?: string;
  readonly execution?: string;
  /** agents from the first to the one that acts; more than one after delegation */
  readonly chain: readonly string[];
  readonly confinement: Confinement;
}

/** What an agent wants to do, normalised. Built in `actions/`, judged in `gate/`. */
export interface Action {
  /** `act_…` */
  readonly id: string;
  readonly door: Door;
  readonly actor: Actor;
  /** `Bash`, `fs.write`, `http`, `aws`, `mcp:github/create_issue` */
  readonly tool: string;
  readonly type: ActionType;
  readonly effect: Effect;
  readonly reach: Reach;
  /** from type and classifier, static */
  readonly risk: Risk;
  readonly target: Target;
  /** all of it: what is hidden from the approver cannot be approved */
  readonly input: JsonObject;
  /** for people: complete, redacted, never cut silently */
  readonly preview: string;
  /** sha-256 of the RFC 8785 JSON of everything above but `id`: what an approval is bound to */
  readonly binding: string;
  /** tenant, agent, tool, target, credential name, input (HTTP: method, URL, body digest): what a grant matches */
  readonly fingerprint: string;
}

/**
 * Where the action leads. Every fact that `judge` needs is in here, so that the trail can be replayed
 * without the input.
 */
export type Target = PathTarget | HttpTarget | CommandTarget | McpTarget | AddressTarget | PlainTarget;
export type TargetKind = Target['kind'];

interface TargetBase {
  /** NAME of the credential that will be lent; never its value */
  readonly credential?: string;
  /** set when building found something no verdict may allow; the gate turns it into a refusal */
  readonly problem?: TargetProblem;
  /** arguments that the operator's config names for this tool, each with where it leads */
  readonly named?: readonly NamedArgument[];
}

/** What an argument of a tool names; `none`: the tool has no argument that says where its call leads. */
export const ARGUMENT_KINDS = ['path', 'url', 'domain', 'address', 'command', 'none'] as const;
export type ArgumentKind = (typeof ARGUMENT_KINDS)[number];

/** Which argument of a tool says where a call leads, as the config writes it: `target: {arg, kind}`. */
export interface ArgumentTarget {
  readonly arg: string;
  readonly kind: Exclude<ArgumentKind, 'none'>;
}

/** One such argument of a call. Where it is absent or cannot be read, its target has the problem. */
export interface NamedArgument extends ArgumentTarget {
  readonly target: Target;
}

/** A fact found while building that leads to a refusal, whatever the policy says. */
export interface TargetProblem {
  readonly code:
    | 'PathTraversalAttempt'
    | 'PathOutsideBoundary'
    | 'DomainNotAllowed'
    | 'MissingArgument'
    | 'Malformed';
  /** one line for the agent */
  readonly message: string;
}

/** One path of an action, judged where it leads. */
export interface PathFact {
  /** as the agent wrote it */
  readonly given: string;
  /** absolute, `.`/`..` and every existing symlink resolved */
  readonly real: string;
  readonly access: 'read' | 'write' | 'delete';
  /** everything below it too: a search through a folder. `delete` always means that */
  readonly below?: true;
  /** a well-known place of secrets outside the workspace; only without a jail */
  readonly secret?: true;
  /** a place of the workspace whose content runs later, as the person; only without a jail */
  readonly guarded?: true;
}

/** One path that a command names, in whatever form, and what the command does with it. */
export interface NamedPath {
  /** as written, or the part of the word that is the path */
  readonly given: string;
  /**
   * where it leads: absolute, links resolved. With `rest`, the folder that a pattern starts from. Absent when only
   * the shell will know
   */
  readonly real?: string;
  /** a glob below `real`, as path rules write it; a `*` that begins a name stands for no dot */
  readonly rest?: string;
  /** a part of it is not known before it runs: it may lead here */
  readonly open?: true;
  /** `none`: named and not opened (`echo`, `cd`). `both`: nobody knows which */
  readonly use: 'read' | 'write' | 'both' | 'none';
  /** with everything below it */
  readonly below?: true;
}

/** One host that an action names. */
export interface HostFact {
  /** as it was read; the gate brings it into its one spelling */
  readonly host: string;
  /** undefined when the words do not tell */
  readonly port?: number;
  /** one of the fixed hosts that its program exists to talk to: not new, whatever no list names */
  readonly ofProgram?: true;
}

/** Files: `Read`, `Write`, `Edit`, `fs.*`. */
export interface PathTarget extends TargetBase {
  readonly kind: 'path';
  readonly paths: readonly PathFact[];
  /** the agent's working folder, which `./` in a rule means */
  readonly cwd: string;
}

/** What is done to one ref of a repository. */
export interface RefChange {
  /** full name, `refs/heads/main`; `*` when it cannot be known */
  readonly ref: string;
  readonly change: 'create' | 'update' | 'force' | 'delete' | 'unknown';
}

/** A write to a repository: a push, a contents API call, a workflow run, a comment. */
export interface RepositoryFact {
  /** `github.com/acme/app`; undefined when it cannot be known */
  readonly repository?: string;
  /** `collaboration`: talk about the code, and asking others to take it */
  readonly area: 'contents' | 'actions' | 'collaboration' | 'other';
  /** full name of the branch that others are asked to take; nothing changes in it */
  readonly head?: string;
  readonly refs: readonly RefChange[];
  /** it changes a file that says what pipelines run, as far as that can be seen */
  readonly pipeline?: true;
  /** what a push asks of the server beside the refs: `ci.skip`, `merge_request.create` */
  readonly options?: readonly string[];
}

/** A credential that is neither lent nor handed to the agent by a host: where it stands, never its value. */
export interface OwnCredential {
  /** parameter, field or header; of a path, what it is */
  readonly name: string;
  readonly where: 'header' | 'cookie' | 'userinfo' | 'path' | 'query' | 'form';
}

/** A request: the proxy's, or a tool's that names a URL. */
export interface HttpTarget extends TargetBase {
  readonly kind: 'http';
  readonly scheme: 'http' | 'https' | 'ws' | 'wss' | 'tunnel';
  /** ASCII, lower case, no trailing dot; IPv6 without brackets; canonical IP literal */
  readonly host: string;
  readonly port: number;
  /** as sent: methods are case-sensitive */
  readonly method: string;
  /** normalised path without query */
  readonly path: string;
  readonly queryKeys: readonly string[];
  /** classifier that knew the host: `github`, `aws`, … */
  readonly provider?: string;
  /** provider's own name of the operation: `repos/create-issue`, `s3:PutObject`, `mutation commentCreate` */
  readonly operation?: string;
  /** what the operation is done to, as its classifier found it: repository, account and region, project, channel */
  readonly object?: string;
  /** the first one that the request would carry out */
  readonly ownCredential?: OwnCredential;
  readonly repo?: RepositoryFact;
  /** a port of this machine that a person opened for the run that this session belongs to */
  readonly forward?: true;
}

/** What a command throws away: absolute paths, links resolved. */
export interface Loss {
  /** deleted or written over; a folder stands for all that is in it */
  readonly paths: readonly string[];
  /** folders in whose repositories git throws something away */
  readonly repositories: readonly string[];
}

/** One simple command after parsing and unwrapping. */
export interface CommandFact {
  /** base name of the program; empty when it cannot be known */
  readonly program: string;
  /** words after quote removal, program first; a word that cannot be known is in `unknown` */
  readonly argv: readonly string[];
  /** `argv` joined by one space: what a rule's glob is matched with */
  readonly text: string;
  /** the command with each wrapper that was taken off (`sudo rm x`), outermost first: a deny or ask may be about it */
  readonly via?: readonly string[];
  /** why this command cannot be known; then no `allow` with a pattern matches it */
  readonly unknown?: string;
  readonly effect: Effect;
  readonly reach: Reach;
  readonly type: ActionType;
  readonly risk: Risk;
  /** of what destroys: the type that it has beside that, for rules about deleting files or moving branches */
  readonly alsoType?: ActionType;
  /** what it destroys and nothing but a snapshot of the workspace brings back; only of what is known to destroy */
  readonly loses?: Loss;
  /** places that it writes whose content runs later, as the person; as written; only without a jail */
  readonly guarded?: readonly string[];
  /** well-known places of secrets that it may read, as written; only without a jail */
  readonly secrets?: readonly string[];
  /** `s3 cp`, `pr create`: the verb as the CLI's own parser sees it */
  readonly operation?: string;
  /** what the operation is done to, where its parser knows: the resource's kind and name */
  readonly object?: string;
  /** every host that its words name; where its own settings lead (a remote of the repository) is not in here */
  readonly hosts?: readonly HostFact[];
  /** it may talk to others beside `hosts`, and nobody can tell which */
  readonly unknownHosts?: true;
  /** it runs a program that nobody knows: code of the agent, of the workspace, or of others */
  readonly runsCode?: true;
  /** what an option or a file of it does that its operation does not show: a person is asked each time */
  readonly trap?: string;
  readonly repo?: RepositoryFact;
  /** the request that the command will make, where its classifier knows (curl) */
  readonly request?: { readonly method: string; readonly url: string };
  /** what it would send of the agent's own, and where to; `''` when that is not known (curl, wget, git) */
  readonly ownCredentials?: readonly (OwnCredential & { readonly host: string })[];
  /** output redirections and known output files */
  readonly writes: readonly PathFact[];
  /** every path that it names: words, options, redirections, folders that it starts in */
  readonly paths?: readonly NamedPath[];
}

/** A shell line (`Bash`) or one argv (`cmd.run`, a CLI over SSH). */
export interface CommandTarget extends TargetBase {
  readonly kind: 'command';
  /** `shell`: parsed from a line; `argv`: no shell was involved */
  readonly form: 'shell' | 'argv';
  readonly cwd: string;
  readonly commands: readonly CommandFact[];
  /** why the line as a whole cannot be known (syntax error, over 16 KiB, …) */
  readonly unknown?: string;
  /** addresses in a line that cannot be known: which of its commands uses them cannot be told */
  readonly hosts?: readonly HostFact[];
  /** what looks like a path inside texts of the line (code, messages, here-documents); only without a jail */
  readonly mentions?: readonly string[];
}

/** A tool of an MCP server. */
export interface McpTarget extends TargetBase {
  readonly kind: 'mcp';
  readonly server: string;
  readonly tool: string;
}

/** Mail and messages. */
export interface AddressTarget extends TargetBase {
  readonly kind: 'address';
  readonly account?: string;
  readonly addresses: readonly string[];
}

/** Nothing outside the call itself (`TodoWrite`, a self-declared API action). */
export interface PlainTarget extends TargetBase {
  readonly kind: 'plain';
}
