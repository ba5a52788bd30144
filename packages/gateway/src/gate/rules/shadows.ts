import { PrefixIndex } from './patterns/prefix-index.ts';
import { type ToolPattern, toolGroup } from './patterns/tool-table.ts';
import type { ParsedRule } from './selector.ts';
import type { Compared } from './selectors/definition.ts';
import type { SelectorKind } from './selectors/selector.ts';
import { definitionOf } from './selectors/selectors.ts';

/** A rule that can never be the first match, and the earlier one that always is. */
export interface Shadow {
  readonly index: number;
  readonly by: number;
}

interface Entry extends Compared<SelectorKind> {
  readonly order: number;
  /** an allow that also looks at the paths of the command: what its text matches may still come to a later rule */
  readonly partial: boolean;
}

/** Any bases do: both rules are read with the same ones, and no two bases are the same folder here. */
const BASES = { root: '/platform-root', home: '/user-home' };

/** Finds rules of one list that an earlier rule covers. Says nothing where it is not certain. */
export function findShadows(rules: readonly (ParsedRule | undefined)[]): readonly Shadow[] {
  const shadows: Shadow[] = [];
  const general: Entry[] = [];
  const byTool = new Map<string, PrefixIndex<Entry>>();
  rules.forEach((rule, order) => {
    if (rule === undefined) return;
    const entry = entryOf(rule, order);
    const by = general.find((earlier) => covers(earlier, entry)) ?? firstOfTool(byTool, entry);
    if (by !== undefined) {
      shadows.push({ index: order, by: by.order });
      return;
    }
    const tool = entry.selector.kind === 'type' ? undefined : entry.selector.tool;
    if (tool === undefined || tool.wildcard) general.push(entry);
    else for (const name of toolGroup(tool.name)) insert(byTool, name, entry);
  });
  return shadows;
}

function entryOf({ action, selector }: ParsedRule, order: number): Entry {
  const { glob, area } = definitionOf(selector).compile(selector, BASES);
  return { order, selector, glob, partial: action === 'allow' && area !== undefined && !area.any };
}

function insert(byTool: Map<string, PrefixIndex<Entry>>, name: string, entry: Entry): void {
  let index = byTool.get(name);
  if (index === undefined) {
    index = new PrefixIndex();
    byTool.set(name, index);
  }
  index.insert(entry.glob?.prefix ?? '', entry);
}

function firstOfTool(byTool: ReadonlyMap<string, PrefixIndex<Entry>>, entry: Entry): Entry | undefined {
  if (entry.selector.kind === 'type' || entry.selector.tool.wildcard) return undefined;
  const index = byTool.get(entry.selector.tool.name);
  return index?.first(entry.glob?.prefix ?? '', entry.order, acceptCovering, entry);
}

function acceptCovering(earlier: Entry, _text: string, entry: Entry): boolean {
  return covers(earlier, entry);
}

function covers(wide: Entry, narrow: Entry): boolean {
  if (wide.partial) return false;
  const [a, b] = [wide.selector, narrow.selector];
  if (a.kind === 'type' || b.kind === 'type') {
    if (a.kind === b.kind) return definitionOf(a).shadows(wide, narrow);
    return a.kind === 'tool' && a.tool.name === '';
  }
  if (!toolCovers(a.tool, b.tool)) return false;
  // A rule without a pattern is about every call of the tool.
  return (a.kind === 'tool' || a.kind === b.kind) && definitionOf(a).shadows(wide, narrow);
}

function toolCovers(wide: ToolPattern, narrow: ToolPattern): boolean {
  if (wide.wildcard) return narrow.name.startsWith(wide.name);
  return !narrow.wildcard && (wide.name === narrow.name || toolGroup(wide.name).includes(narrow.name));
}
