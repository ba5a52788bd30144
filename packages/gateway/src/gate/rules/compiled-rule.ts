import type { Opinion, Position } from '@sallyport/protocol';
import type { Glob } from '../../shared/glob.ts';
import { type CommandArea, commandArea } from './command-area.ts';
import { compilePathPattern, type PathBases } from './path-pattern.ts';
import type { ParsedRule, RuleAction, Selector } from './selector.ts';

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
  /** pattern of command, arguments, address or path */
  readonly glob: Glob | undefined;
  /** `rm` of `rm *`: a deny or ask that means every `rm` means the one without arguments too */
  readonly bare: string | undefined;
  /** what a pattern of a command says about paths */
  readonly area: CommandArea | undefined;
}

export interface RuleSource {
  readonly text: string;
  readonly rule: ParsedRule;
  readonly at?: Position;
}

export function compileRule(source: RuleSource, order: number, bases: PathBases): CompiledRule {
  const { text, at } = source;
  const { action, selector } = source.rule;
  const glob = globOf(selector, bases);
  return {
    order,
    action,
    text,
    selector,
    opinion: opinionOf(action, text, at),
    doubt: {
      layer: 'rules',
      says: 'ask',
      strength: 'human',
      rule: text,
      ...(at === undefined ? {} : { at }),
      reason: `it cannot be known whether rule \`${text}\` is about this`,
    },
    glob,
    bare: action !== 'allow' && glob !== undefined ? bareOf(glob) : undefined,
    area:
      selector.kind === 'command' || selector.kind === 'arguments'
        ? commandArea(selector.glob.source, selector.kind, bases)
        : undefined,
  };
}

/** What every text that the rule is about starts with. A deny or ask of a path is about every spelling of it. */
export function prefixOf({ action, area, bare, glob }: CompiledRule): string {
  if (action !== 'allow' && area !== undefined) return area.head?.prefix ?? '';
  return bare ?? glob?.prefix ?? '';
}

function globOf(selector: Selector, bases: PathBases): Glob | undefined {
  switch (selector.kind) {
    case 'command':
    case 'arguments':
    case 'address':
      return selector.glob;
    case 'path':
      return compilePathPattern(selector.path, bases);
    default:
      return undefined;
  }
}

function bareOf(glob: Glob): string | undefined {
  const isRest = glob.mode === 'command' && glob.source.endsWith(' *') && glob.prefix.endsWith(' ');
  // Only when the star at the end is the pattern's one wildcard is the prefix all that stands before it.
  return isRest && glob.matches(glob.prefix) ? glob.prefix.slice(0, -1) : undefined;
}

const SENTENCES = { allow: 'allows', ask: 'wants a question for', deny: 'denies' } as const;

function opinionOf(action: RuleAction, text: string, at: Position | undefined): Opinion {
  const base = {
    layer: 'rules',
    rule: text,
    reason: `rule \`${text}\` ${SENTENCES[action]} this`,
    ...(at === undefined ? {} : { at }),
  } as const;
  switch (action) {
    case 'allow':
      return { ...base, says: 'allow' };
    case 'ask':
      return { ...base, says: 'ask', strength: 'review' };
    case 'deny':
      return { ...base, says: 'deny', violation: 'RuleDenied' };
  }
}
