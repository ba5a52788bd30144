import { createHash } from 'node:crypto';
import { ACCESS } from '@sallyport/protocol';
import type { ToolListing } from '../executors/index.ts';
import { canonicalToolName } from '../shared/tool-name.ts';

/** What fetches the result of a call that people were asked about; shown to everyone beside the tools. */
export const WAIT_TOOL = 'wait_for_approval';

/** As models take names of functions. */
const PLAIN = /^[A-Za-z0-9_-]{1,64}$/;
const PLAIN_AT_MOST = 64;

/** The name that clients see: `github/create_issue` for `mcp:github/create_issue`, others as they are. */
export function shownName(tool: string): string {
  return tool.startsWith('mcp:') ? tool.slice('mcp:'.length) : tool;
}

/** The name that rules use, for whatever spelling a client has: `github/x`, `mcp:github/x`, `mcp__github__x`, `fs.read`. */
export function ruleName(name: string): string {
  if (name.startsWith('mcp:')) return name;
  if (name.startsWith('mcp__')) return canonicalToolName(name);
  return name.includes('/') ? `mcp:${name}` : name;
}

/**
 * Names for clients that hand them to a model as they are: letters, digits, `_` and `-`, 64 at most. Each stands for one
 * tool; where two would be the same, both carry a mark made of their full name.
 */
export function plainNames(tools: readonly Pick<ToolListing, 'tool'>[]): ReadonlyMap<string, string> {
  const wanted = tools.map(({ tool }) => [tool, plainly(tool)] as const);
  const times = new Map<string, number>();
  for (const [, name] of wanted) times.set(name, (times.get(name) ?? 0) + 1);
  return new Map(
    wanted.map(([tool, name]) => [
      times.get(name) === 1 && PLAIN.test(name) ? name : marked(name, tool),
      tool,
    ]),
  );
}

function plainly(tool: string): string {
  return shownName(tool)
    .replace('/', '__')
    .replaceAll(/[^A-Za-z0-9_-]/g, '_');
}

function marked(name: string, tool: string): string {
  const mark = createHash('sha256').update(tool).digest('hex').slice(0, 8);
  return `${name.slice(0, PLAIN_AT_MOST - mark.length - 1)}_${mark}`;
}

/** Whether one of these tools is shown by that name, in either spelling. */
export function isShown(name: string, tools: readonly Pick<ToolListing, 'tool'>[]): boolean {
  if (name === WAIT_TOOL || name === ACCESS.tool) return true;
  return tools.some(({ tool }) => shownName(tool) === name) || plainNames(tools).has(name);
}
