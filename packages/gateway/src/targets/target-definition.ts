import type {
  Action,
  CommandFact,
  CommandTarget,
  ErrorCode,
  HostFact,
  HttpTarget,
  NamedPath,
  OwnCredential,
  PathFact,
  RepositoryFact,
  Target,
} from '@sallyport/protocol';
import type { Call, Operation } from './operation.ts';

/** A request, whoever makes it. */
export type RequestFact = Omit<HttpTarget, 'kind' | 'named' | 'problem'>;

/** Commands that run one after the other, or beside each other. */
export type LineFact = Pick<CommandTarget, 'cwd' | 'commands' | 'unknown' | 'mentions'>;

/** Where an action leads beyond this machine. */
export interface Hosts {
  readonly named: readonly NamedHost[];
  /** commands that may talk to hosts which nobody can tell; undefined stands for the line as a whole */
  readonly unknown: readonly (CommandFact | undefined)[];
}

export interface NamedHost extends HostFact {
  /** the whole request, where it is known */
  readonly request?: RequestFact;
}

/** A credential of the agent's own, and the host that would get it; `''` when that is not known. */
export type SentCredential = OwnCredential & { readonly host: string };

/**
 * Which fact the patterns of rules are matched with. Where a target of that sort has none (a call without the path that
 * it should name), only bare rules match, and a strict pattern is a doubt. `call`: there is none to look for.
 */
export type RuledBy = 'call' | 'request' | 'paths' | 'addresses' | 'commands';

/**
 * What is asked about a target, for one kind of it. Layers, rules, grants, titles and events ask this and never for
 * the kind, and each answer is total: a kind says of every fact what it has, if only that it has none. `factsOf` finds
 * the definition. The few facts that are asked of every action stand in `quick-facts.ts`.
 */
export interface TargetDefinition<Kind extends Target = Target> {
  readonly ruledBy: RuledBy;
  /** it names nothing of its own: only the arguments that a config names say where the call leads */
  readonly namesNothing: boolean;
  /** files that it names as its own */
  paths(target: Kind): readonly PathFact[];
  /** whether `paths` are all that it will touch */
  readonly namesEveryPath: boolean;
  /** paths in whatever form, as commands name them */
  namedPaths(target: Kind): readonly NamedPath[];
  /** what `./` in a rule means; `''`: nothing does */
  folder(target: Kind): string;
  /** Every host that it names itself. */
  hosts(target: Kind, reach: Action['reach']): Hosts;
  /** the domains that it is about; undefined when there are others that nobody can tell */
  domains(target: Kind): readonly string[] | undefined;
  /** who mail and messages go to */
  addresses(target: Kind): readonly string[];
  /** the account that they are sent from, or read in */
  account(target: Kind): string | undefined;
  /** repositories whose content it changes */
  repositories(target: Kind): readonly RepositoryFact[];
  /** what is refused when a fact that should be there is missing or malformed */
  missing(tool: string): ErrorCode;
  /** the narrowest pattern of a selector that is about this alone and reads well */
  pattern(target: Kind, tool: string): string | undefined;
  /** what it does, and to what, one by one and in order; none where only the whole action can be named */
  operations(target: Kind, call: Call): readonly Operation[];
  /** one line for people; empty when the name of the tool says it all */
  summary(target: Kind): string;
}

/** Answers of kinds that have no such fact. */
export const none = (): undefined => undefined;
export const never = (): readonly never[] => NOTHING;
const NOTHING: readonly never[] = Object.freeze([]);
export const NO_HOSTS: Hosts = Object.freeze({ named: NOTHING, unknown: NOTHING });
