import { patternKindOf } from './patterns/tool-table.ts';
import type { RuleList } from './rule-list.ts';
import type { CompiledRule } from './selectors/compiled-rule.ts';
import { namesTool } from './selectors/tool-selector.ts';

const KEPT_AT_MOST = 1_000;
const known = new WeakMap<RuleList, Map<string, boolean>>();

/**
 * Whether a list of rules denies every call of a tool, whatever its input. A rule before that one which some call may
 * fall under, and which does not deny it, makes the answer no.
 */
export function deniesTool(list: RuleList, tool: string): boolean {
  let answers = known.get(list);
  if (answers === undefined) {
    answers = new Map();
    known.set(list, answers);
  }
  let answer = answers.get(tool);
  if (answer === undefined) {
    answer = findDenial(list.rules, tool);
    // A caller may ask for any name that it makes up.
    if (answers.size >= KEPT_AT_MOST) answers.clear();
    answers.set(tool, answer);
  }
  return answer;
}

function findDenial(rules: readonly CompiledRule[], tool: string): boolean {
  for (const { selector, action } of rules) {
    // Which types the calls of a tool have is known call by call.
    const isAbout = selector.kind === 'type' || namesTool(selector.tool, tool) || mayRun(selector.kind, tool);
    if (!isAbout) continue;
    if (action !== 'deny') return false;
    if (selector.kind === 'tool') return true;
  }
  return false;
}

/** `gh(pr *)` is about a command that a shell runs, too. */
function mayRun(kind: CompiledRule['selector']['kind'], tool: string): boolean {
  return kind === 'arguments' && patternKindOf(tool) === 'command';
}
