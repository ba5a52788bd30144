import type { ArgumentKind, CommandFact, NamedPath, PathFact } from '@sallyport/protocol';
import type { Glob } from '../../../shared/glob.ts';
import type { HostLists } from '../../../shared/listed-host.ts';
import type { RequestFact } from '../../../targets/index.ts';
import type { TypeRegistry } from '../patterns/action-types.ts';
import type { CommandArea } from '../patterns/command-area.ts';
import type { Parsed } from '../patterns/parsed.ts';
import type { PathBases } from '../patterns/path-pattern.ts';
import type { ToolPattern } from '../patterns/tool-table.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { SelectorKind, Selectors } from './selector.ts';

/** Finds rules of one kind. Rules come in ascending order. */
export interface RuleIndex<Fact> {
  insert(rule: CompiledRule): void;
  /** The first rule of an order below `limit` that is about the fact. */
  first(fact: Fact, cwd: string, limit: number): CompiledRule | undefined;
}

export interface PathRules extends RuleIndex<PathFact> {
  /** whether one of them denies or asks */
  readonly hasStrict: boolean;
  /** The first rule about some file that a pattern of the shell (`~/.s*`) may name. */
  firstForPattern(path: NamedPath, cwd: string, limit: number): CompiledRule | undefined;
}

export interface RequestRules extends RuleIndex<RequestFact> {
  /** Deny and ask rules only. */
  firstStrict(target: RequestFact): CompiledRule | undefined;
}

/**
 * The facts that rules are asked about, and what finds them. A bucket asks every index about a fact: a kind of selector
 * says which fact it is about, and is asked from then on.
 */
export interface RulesAbout {
  /** that the tool is called at all */
  readonly call: RuleIndex<undefined>;
  /** the action type */
  readonly type: RuleIndex<string>;
  /** a command, of the tool that runs it */
  readonly command: RuleIndex<CommandFact>;
  /** a command, of the program that is run */
  readonly program: RuleIndex<CommandFact>;
  readonly path: PathRules;
  readonly request: RequestRules;
  readonly address: RuleIndex<string>;
}

/** What a selector comes to on this machine: made once, when the rule is compiled. */
export interface CompiledPattern {
  readonly glob?: Glob | undefined;
  readonly area?: CommandArea | undefined;
}

/** A command of which not everything can be told, called through `tool`. */
export interface UnknownCommand {
  readonly tool: string;
  readonly fact: CommandFact;
  readonly cwd: string;
}

/** A rule beside an earlier one. */
export interface Compared<Kind extends SelectorKind> extends CompiledPattern {
  readonly selector: Selectors[Kind];
}

/** All that is known about one kind of selector. */
export interface SelectorDefinition<
  Kind extends SelectorKind = SelectorKind,
  About extends keyof RulesAbout = keyof RulesAbout,
> {
  /** a selector of this kind, for docs */
  readonly example: string;
  readonly about: About;
  /** what a tool with such a pattern names, for capabilities that say which argument leads where */
  readonly argument: ArgumentKind;
  /** Reads the text in the brackets (of a type: behind the `@`). Never throws. */
  parse(
    text: string,
    context: { readonly tool: ToolPattern; readonly types: TypeRegistry },
  ): Parsed<Selectors[Kind]>;
  compile(selector: Selectors[Kind], bases: PathBases): CompiledPattern;
  /** Finds the rules of this kind that name one tool; `lists` are the hosts of `@list`. */
  index(lists: HostLists): RulesAbout[About];
  /** Whether a rule of this kind is about the text, given what else counts. Runs for every candidate: allocates nothing. */
  matches(rule: CompiledRule, text: string, beside: never): boolean;
  /**
   * Whether a deny or ask of this kind is about a command that cannot be known.
   * SECURITY: that the first word is known rules nothing out: `eval`, `sh` and `env` run what follows them.
   */
  concerns(rule: CompiledRule, unknown: UnknownCommand): 'yes' | 'maybe' | 'no';
  /** In words, for docs and messages. */
  describe(selector: Selectors[Kind]): string;
  /** Whether all that `narrow` is about, `wide` is about: for two of one tool. Says no where it is not certain. */
  shadows(wide: Compared<Kind>, narrow: Compared<Kind>): boolean;
}

/** One for each kind, whichever fact it is about. */
export type SelectorDefinitions = {
  readonly [Kind in SelectorKind]: {
    [About in keyof RulesAbout]: SelectorDefinition<Kind, About>;
  }[keyof RulesAbout];
};
