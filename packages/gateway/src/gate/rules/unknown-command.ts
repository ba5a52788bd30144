import type { CommandFact, Confinement, Opinion } from '@sallyport/protocol';
import type { RuleList } from './rule-list.ts';
import { definitionOf } from './selectors/selectors.ts';
import { namesTool } from './selectors/tool-selector.ts';
import { stricter } from './strictness.ts';

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
  const unknown = { tool, fact, cwd };
  for (const rule of list.rules) {
    const { selector } = rule;
    if (rule.action === 'allow') {
      if (confinement === 'jailed' && selector.kind === 'tool' && namesTool(selector.tool, tool))
        return doubt ?? rule.opinion;
      continue;
    }
    const about = definitionOf(selector).concerns(rule, unknown);
    if (about === 'yes') return doubt === undefined ? rule.opinion : stricter(doubt, rule.opinion);
    if (about === 'maybe') doubt ??= rule.doubt;
  }
  return doubt;
}
