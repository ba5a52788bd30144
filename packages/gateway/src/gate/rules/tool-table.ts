import { canonicalToolName } from '../../shared/tool-name.ts';

/** Categories of the catalogue. `internal` tools touch nothing but the conversation: no level limits them. */
export type ToolCategory =
  | 'file_system'
  | 'code_execution'
  | 'version_control'
  | 'web'
  | 'database'
  | 'terminal'
  | 'communication'
  | 'deployment'
  | 'memory'
  | 'analytics'
  | 'external_data'
  | 'browser'
  | 'desktop'
  | 'design'
  | 'mcp'
  | 'internal';

/** What the text in brackets after a tool's name is matched with. */
export type PatternKind =
  /** the whole command: `Bash(git *)` */
  | 'command'
  /** what follows the program: `gh(pr create *)` */
  | 'arguments'
  | 'path'
  /** methods, host, path */
  | 'request'
  | 'address'
  | 'none';

interface ToolEntry {
  readonly category: ToolCategory;
  readonly pattern: PatternKind;
}

const entries = (names: string, category: ToolCategory, pattern: PatternKind): [string, ToolEntry][] =>
  names.split(' ').map((name) => [name, { category, pattern }]);

const TOOLS: ReadonlyMap<string, ToolEntry> = new Map([
  ...entries('Read Glob Grep LS Write Edit MultiEdit NotebookEdit', 'file_system', 'path'),
  ...entries('fs.read fs.write fs.create fs.delete fs.list', 'file_system', 'path'),
  ...entries('Bash cmd.run', 'terminal', 'command'),
  ...entries('BashOutput KillShell ssh', 'terminal', 'none'),
  ...entries('http WebFetch web.fetch', 'web', 'request'),
  ...entries('WebSearch web.search', 'web', 'none'),
  ...entries('email.send email.read', 'communication', 'address'),
  ...entries('git gh', 'version_control', 'arguments'),
  ...entries('aws gcloud kubectl terraform', 'deployment', 'arguments'),
  ...entries('curl', 'web', 'arguments'),
  ...entries('datadog', 'analytics', 'arguments'),
  ...entries('linear', 'communication', 'arguments'),
  ...entries('ask_agent list_tools load_tool load_tool_resource wait_for_approval', 'internal', 'none'),
  ...entries('Task TodoWrite ExitPlanMode AskUserQuestion Skill SlashCommand', 'internal', 'none'),
]);

/** Tools that come by the family: everything below the prefix. */
const FAMILIES: readonly (readonly [prefix: string, entry: ToolEntry])[] = [
  ['fs.', { category: 'file_system', pattern: 'path' }],
  ['web.', { category: 'web', pattern: 'request' }],
  ['email.', { category: 'communication', pattern: 'address' }],
  ['cmd.', { category: 'terminal', pattern: 'command' }],
  ['mcp:', { category: 'mcp', pattern: 'path' }],
];

/** Names that stand for several tools in a rule or a list. */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Read', ['Read', 'Glob', 'Grep', 'LS']],
  ['Write', ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']],
]);

/**
 * Category of every built-in tool, by name: what access levels look at. The catalogue adds its own through
 * `PolicyOptions.tools`.
 */
export const TOOL_CATEGORIES: ReadonlyMap<string, ToolCategory> = new Map(
  [...TOOLS].map(([name, entry]) => [name, entry.category]),
);

/** The tools that a name in a rule stands for. */
export function toolGroup(name: string): readonly string[] {
  return GROUPS.get(name) ?? [name];
}

export function categoryOf(tool: string): ToolCategory | undefined {
  return entryOf(tool)?.category;
}

export function patternKindOf(tool: string): PatternKind | undefined {
  return entryOf(tool)?.pattern;
}

/** Whether a tool searches the web: it names no host, for it has no argument that would. */
export function isSearch(tool: string): boolean {
  const entry = TOOLS.get(tool);
  return entry?.category === 'web' && entry.pattern === 'none';
}

function entryOf(tool: string): ToolEntry | undefined {
  const exact = TOOLS.get(tool);
  if (exact !== undefined) return exact;
  for (const [prefix, entry] of FAMILIES) if (tool.startsWith(prefix)) return entry;
  return undefined;
}

/** Whether a wildcard such as `fs.*` (given without the star) can name a tool at all. */
export function isFamily(prefix: string): boolean {
  return FAMILIES.some(([family]) => prefix.startsWith(family));
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
