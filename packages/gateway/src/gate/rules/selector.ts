import { didYouMean } from '../../shared/suggest.ts';
import { TOOL_NAMES } from '../../tools/index.ts';
import type { TypeRegistry } from './patterns/action-types.ts';
import { type Parsed, problem } from './patterns/parsed.ts';
import { parseToolPattern, patternKindOf, type ToolPattern } from './patterns/tool-table.ts';
import { RULE_ACTIONS, type RuleAction, type Selector } from './selectors/selector.ts';
import { SELECTORS } from './selectors/selectors.ts';

const EVERY_TOOL: ToolPattern = { name: '', wildcard: true };

export interface ParsedRule {
  readonly action: RuleAction;
  readonly selector: Selector;
}

/** Reads `action:selector`. Never throws. */
export function parseRule(text: string, types: TypeRegistry): Parsed<ParsedRule> {
  const border = text.indexOf(':');
  const word = border === -1 ? text : text.slice(0, border);
  const action = RULE_ACTIONS.find((candidate) => candidate === word);
  if (action === undefined || border === -1) {
    const hint = didYouMean(word, RULE_ACTIONS) ?? 'for example `allow:Bash(git *)`';
    return problem('a rule starts with `allow:`, `ask:` or `deny:`', hint);
  }
  const selector = parseSelector(text.slice(border + 1), types);
  return selector.ok ? { ok: true, value: { action, selector: selector.value } } : selector;
}

/** Reads what stands behind the colon of a rule, or alone in a list of exceptions. Never throws. */
export function parseSelector(text: string, types: TypeRegistry): Parsed<Selector> {
  if (text.startsWith('@')) return SELECTORS.type.parse(text.slice(1), { tool: EVERY_TOOL, types });
  const open = text.indexOf('(');
  if (open !== -1 && !text.endsWith(')')) return problem('the bracket of the pattern is not closed');
  const name = open === -1 ? text : text.slice(0, open);
  const tool = parseToolPattern(name);
  if (tool === undefined) {
    return problem(
      `\`${name}\` is not the name of a tool`,
      didYouMean(name, TOOL_NAMES) ?? 'for example `Bash`, `fs.*`, `mcp:github/*`, or `*` for every tool',
    );
  }
  if (open === -1) return SELECTORS.tool.parse('', { tool, types });
  return parsePattern(tool, text.slice(open + 1, -1), types);
}

function parsePattern(tool: ToolPattern, pattern: string, types: TypeRegistry): Parsed<Selector> {
  const kind = tool.name === '' ? 'none' : patternKindOf(tool.name);
  if (kind === undefined) {
    return problem(`\`${tool.name}\` is not a tool that takes a pattern`, didYouMean(tool.name, TOOL_NAMES));
  }
  if (kind === 'none') return problem('this tool takes no pattern', 'leave the brackets out');
  return SELECTORS[kind].parse(pattern, { tool, types });
}
