import type { Glob } from '../../shared/glob.ts';
import { didYouMean } from '../../shared/suggest.ts';
import { TOOL_NAMES } from '../../tools/index.ts';
import type { TypePattern, TypeRegistry } from './action-types.ts';
import { type Parsed, parseGlob, problem } from './parsed.ts';
import { type PathPattern, parsePathPattern } from './path-pattern.ts';
import { parseRequestPattern, type RequestPattern } from './request-pattern.ts';
import { parseToolPattern, patternKindOf, type ToolPattern } from './tool-table.ts';

export const RULE_ACTIONS = ['allow', 'ask', 'deny'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** What a rule is about. */
export type Selector =
  | { readonly kind: 'tool'; readonly tool: ToolPattern }
  | { readonly kind: 'command' | 'arguments' | 'address'; readonly tool: ToolPattern; readonly glob: Glob }
  | { readonly kind: 'path'; readonly tool: ToolPattern; readonly path: PathPattern }
  | ({ readonly kind: 'request'; readonly tool: ToolPattern } & RequestPattern)
  | { readonly kind: 'type'; readonly type: TypePattern };

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
  if (text.startsWith('@')) {
    const type = types.parse(text.slice(1));
    if (type !== undefined) return { ok: true, value: { kind: 'type', type } };
    return problem(`\`${text.slice(1)}\` is no action type and no category`, types.hintFor(text.slice(1)));
  }
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
  if (open === -1) return { ok: true, value: { kind: 'tool', tool } };
  return parsePattern(tool, text.slice(open + 1, -1));
}

function parsePattern(tool: ToolPattern, pattern: string): Parsed<Selector> {
  const kind = tool.name === '' ? 'none' : patternKindOf(tool.name);
  switch (kind) {
    case undefined:
      return problem(
        `\`${tool.name}\` is not a tool that takes a pattern`,
        didYouMean(tool.name, TOOL_NAMES),
      );
    case 'none':
      return problem('this tool takes no pattern', 'leave the brackets out');
    case 'path': {
      const path = parsePathPattern(pattern);
      if (path.ok && path.value.base === 'cwd' && tool.name.startsWith('mcp:'))
        return problem('an MCP server has no folder of the agent', 'begin the path with `/`, `~/` or `//`');
      return path.ok ? { ok: true, value: { kind, tool, path: path.value } } : path;
    }
    case 'request': {
      const request = parseRequestPattern(pattern);
      return request.ok ? { ok: true, value: { kind, tool, ...request.value } } : request;
    }
    default: {
      // Addresses are compared in lower case, so that no spelling walks around a rule.
      const glob = parseGlob(kind === 'address' ? pattern.toLowerCase() : pattern, 'command');
      return glob.ok ? { ok: true, value: { kind, tool, glob: glob.value } } : glob;
    }
  }
}
