import type { CommandFact, Confinement, Opinion } from '@sallyport/protocol';
import { matchesType } from './action-types.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { commandText, type RuleList } from './rule-list.ts';
import { stricter } from './stricter.ts';
import { toolGroup } from './tool-table.ts';

/** A line of which nothing can be said: over the limit, or not a sentence of the shell's grammar. */
export const UNREADABLE: CommandFact = {
  program: '',
  argv: [],
  text: '',
  unknown: 'the line cannot be read',
  effect: 'write',
  reach: 'remote',
  type: 'custom:cli',
  risk: 'critical',
  writes: [],
};

/**
 * What a list says about a command that cannot be known.
 *
 * SECURITY: an `allow` with a pattern or a type never counts, and a bare one (`*`, the tool) only in a jail,
 * where what the command does outside is judged again at another door. A deny or ask counts when it is about
 * what is known of the command. Where it only may be, the answer is at least a question, and what the rest of
 * the list says still holds when it is stricter.
 */
export function judgeUnknown(
  list: RuleList,
  tool: string,
  fact: CommandFact,
  confinement: Confinement,
): Opinion | undefined {
  let doubt: Opinion | undefined;
  for (const rule of list.rules) {
    if (rule.action === 'allow') {
      if (confinement === 'jailed' && isBareFor(rule, tool)) return doubt ?? rule.opinion;
      continue;
    }
    const about = concerns(rule, tool, fact);
    if (about === 'yes') return doubt === undefined ? rule.opinion : stricter(doubt, rule.opinion);
    if (about === 'maybe') doubt ??= rule.doubt;
  }
  return doubt;
}

function isBareFor(rule: CompiledRule, tool: string): boolean {
  const { selector } = rule;
  if (selector.kind !== 'tool') return false;
  return selector.tool.wildcard
    ? tool.startsWith(selector.tool.name)
    : toolGroup(selector.tool.name).includes(tool);
}

function concerns(rule: CompiledRule, tool: string, fact: CommandFact): 'yes' | 'maybe' | 'no' {
  const { selector } = rule;
  switch (selector.kind) {
    case 'tool':
      if (isBareFor(rule, tool)) return 'yes';
      return selector.tool.wildcard ? 'no' : isProgram(selector.tool.name, fact);
    case 'type':
      return matchesType(selector.type, fact.type) ? 'yes' : 'maybe';
    case 'arguments': {
      const program = isProgram(selector.tool.name, fact);
      return program === 'yes' && !selector.glob.matches(fact.argv.slice(1).join(' ')) ? 'maybe' : program;
    }
    case 'command':
      if (selector.tool.name !== tool && !(selector.tool.wildcard && tool.startsWith(selector.tool.name)))
        return 'no';
      if (selector.glob.matches(commandText(fact))) return 'yes';
      return rule.program === undefined || isProgram(rule.program, fact) !== 'no' ? 'maybe' : 'no';
    default:
      return 'no';
  }
}

/** A word whose program is known can only be that program; one whose program is not may be any. */
function isProgram(name: string, fact: CommandFact): 'yes' | 'maybe' | 'no' {
  if (fact.program === '') return 'maybe';
  return fact.program === name ? 'yes' : 'no';
}
