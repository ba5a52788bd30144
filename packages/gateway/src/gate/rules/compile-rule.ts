import type { Opinion, Position } from '@sallyport/protocol';
import type { Glob } from '../../shared/glob.ts';
import type { PathBases } from './patterns/path-pattern.ts';
import type { ParsedRule } from './selector.ts';
import type { CompiledRule } from './selectors/compiled-rule.ts';
import type { RuleAction } from './selectors/selector.ts';
import { definitionOf } from './selectors/selectors.ts';

export interface RuleSource {
  readonly text: string;
  readonly rule: ParsedRule;
  readonly at?: Position;
}

export function compileRule(source: RuleSource, order: number, bases: PathBases): CompiledRule {
  const { text, at } = source;
  const { action, selector } = source.rule;
  const { glob, area } = definitionOf(selector).compile(selector, bases);
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
    area,
  };
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
