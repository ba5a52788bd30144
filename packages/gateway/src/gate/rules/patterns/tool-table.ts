import { canonicalToolName } from '../../../shared/tool-name.ts';
import {
  findTool,
  type PatternKind,
  shapeOf,
  type ToolCategory,
  type ToolName,
} from '../../../tools/index.ts';

/** Names that stand for several tools in a rule or a list. */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly ToolName[]>([
  ['Read', ['Read', 'Glob', 'Grep', 'LS']],
  ['Write', ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']],
]);

/** The tools that a name in a rule stands for. */
export function toolGroup(name: string): readonly string[] {
  return GROUPS.get(name) ?? [name];
}

export function categoryOf(tool: string): ToolCategory | undefined {
  return shapeOf(tool)?.category;
}

export function patternKindOf(tool: string): PatternKind | undefined {
  return shapeOf(tool)?.pattern;
}

/** Whether a tool searches the web: it names no host, for it has no argument that would. */
export function isSearch(tool: string): boolean {
  const entry = findTool(tool);
  return entry?.category === 'web' && entry.pattern === 'none';
}

/** A tool's name in a config: one tool, or all whose name starts with `name`. */
export interface ToolPattern {
  readonly name: string;
  readonly wildcard: boolean;
}

const PLAIN = /^[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
const MCP = /^mcp:[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._/-]*$/;
const WILD =
  /^(?:[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\.|mcp:(?:[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9._/-]*)?)\*$/;

/** Reads `Bash`, `fs.*`, `mcp:github/*`, `mcp__github__get_me`, `*`; undefined when it is none of these. */
export function parseToolPattern(text: string): ToolPattern | undefined {
  if (text === '*') return { name: '', wildcard: true };
  if (WILD.test(text)) return { name: text.slice(0, -1), wildcard: true };
  const name = canonicalToolName(text);
  return PLAIN.test(name) || MCP.test(name) ? { name, wildcard: false } : undefined;
}
