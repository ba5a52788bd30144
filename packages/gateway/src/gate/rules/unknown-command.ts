import type { CommandFact, Confinement, Opinion } from '@sallyport/protocol';
import type { RuleList } from './rule-list.ts';
import type { Selector } from './selectors/selector.ts';
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

const OUTSIDE: ReadonlySet<string> = new Set(['deploy', 'db', 'comms']);

/**
 * What nobody knows may be of any type. Of types that only happen outside, that would make a question of every line of
 * code in a jail: what it does outside comes by another door, with a type of its own, and is judged there.
 */
function happensOutside(selector: Selector): boolean {
  if (selector.kind !== 'type') return false;
  const { type } = selector;
  return OUTSIDE.has(type.kind === 'category' ? type.category : (type.type.split(':')[0] ?? ''));
}

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
    if (about === 'maybe' && confinement === 'jailed' && happensOutside(selector)) continue;
    if (about === 'yes') return doubt === undefined ? rule.opinion : stricter(doubt, rule.opinion);
    if (about === 'maybe') doubt ??= rule.doubt;
  }
  return doubt;
}
