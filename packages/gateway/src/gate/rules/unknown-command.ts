import type { CommandFact, Confinement, Opinion } from '@sallyport/protocol';
import { matchesType } from './action-types.ts';
import { areaHits } from './command-area.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { commandText, type RuleList } from './rule-list.ts';
import { stricter } from './stricter.ts';
import { patternKindOf, toolGroup } from './tool-table.ts';

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
  cwd: string,
): Opinion | undefined {
  let doubt: Opinion | undefined;
  for (const rule of list.rules) {
    if (rule.action === 'allow') {
      if (confinement === 'jailed' && isBareFor(rule, tool)) return doubt ?? rule.opinion;
      continue;
    }
    const about = concerns(rule, tool, fact, cwd);
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

/** SECURITY: that the first word is known rules nothing out: `eval`, `sh` and `env` run what follows them. */
function concerns(rule: CompiledRule, tool: string, fact: CommandFact, cwd: string): 'yes' | 'maybe' | 'no' {
  const { selector, area } = rule;
  switch (selector.kind) {
    case 'tool':
      if (isBareFor(rule, tool) || selector.tool.name === fact.program) return 'yes';
      return patternKindOf(selector.tool.name) === 'arguments' ? 'maybe' : 'no';
    case 'type':
      return matchesType(selector.type, fact.type) ? 'yes' : 'maybe';
    case 'arguments':
      return selector.tool.name === fact.program &&
        (selector.glob.matches(argumentsOf(fact)) ||
          (area !== undefined && areaHits(area, fact, argumentsOf(fact), cwd)))
        ? 'yes'
        : 'maybe';
    case 'command':
      if (selector.tool.name !== tool && !(selector.tool.wildcard && tool.startsWith(selector.tool.name)))
        return 'no';
      return selector.glob.matches(commandText(fact)) ||
        (area !== undefined && areaHits(area, fact, commandText(fact), cwd))
        ? 'yes'
        : 'maybe';
    default:
      return 'no';
  }
}

function argumentsOf({ argv }: CommandFact): string {
  return argv.slice(1).join(' ');
}
