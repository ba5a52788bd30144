import type { Opinion } from '@sallyport/protocol';
import type { Glob } from '../../../shared/glob.ts';
import type { CommandArea } from '../patterns/command-area.ts';
import type { RuleAction, Selector } from './selector.ts';

/** A rule ready to be matched, with everything it can say made beforehand, so that judging allocates nothing. */
export interface CompiledRule {
  readonly order: number;
  readonly action: RuleAction;
  /** as it stands in the config */
  readonly text: string;
  readonly selector: Selector;
  /** what it says when it matches */
  readonly opinion: Opinion;
  /** what it says when it may match and nobody can know: a person looks */
  readonly doubt: Opinion;
  /** pattern of command, arguments, address or path, also of the path of a request */
  readonly glob: Glob | undefined;
  /** `rm` of `rm *`: a deny or ask that means every `rm` means the one without arguments too */
  readonly bare: string | undefined;
  /** what a pattern of a command says about paths */
  readonly area: CommandArea | undefined;
}

/** What every text that the rule is about starts with. A deny or ask of a path is about every spelling of it. */
export function prefixOf({ action, area, bare, glob }: CompiledRule): string {
  if (action !== 'allow' && area !== undefined) return area.head?.prefix ?? '';
  return bare ?? glob?.prefix ?? '';
}

/** Whether a text is what the pattern of a rule says. */
export function matchesText(rule: CompiledRule, text: string): boolean {
  return rule.glob?.matches(text) === true || (rule.bare !== undefined && rule.bare === text);
}
