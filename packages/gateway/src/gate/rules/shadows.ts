import type { Glob } from '../../shared/glob.ts';
import { typePatternCovers } from './action-types.ts';
import { commandArea } from './command-area.ts';
import { hostPatternCovers } from './host-index.ts';
import { compilePathPattern } from './path-pattern.ts';
import { PrefixIndex } from './prefix-index.ts';
import type { RequestPattern } from './request-pattern.ts';
import type { ParsedRule, Selector } from './selector.ts';
import { type ToolPattern, toolGroup } from './tool-table.ts';

/** A rule that can never be the first match, and the earlier one that always is. */
export interface Shadow {
  readonly index: number;
  readonly by: number;
}

interface Entry {
  readonly order: number;
  readonly selector: Selector;
  readonly glob: Glob | undefined;
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
  const entry = (glob: Glob | undefined, partial = false): Entry => ({ order, selector, glob, partial });
  switch (selector.kind) {
    case 'path':
      return entry(compilePathPattern(selector.path, BASES));
    case 'command':
    case 'arguments': {
      const area = commandArea(selector.glob.source, selector.kind, BASES);
      return entry(selector.glob, action === 'allow' && area !== undefined && !area.any);
    }
    case 'address':
      return entry(selector.glob);
    case 'request':
      return entry(selector.path);
    case 'tool':
    case 'type':
      return entry(undefined);
  }
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
  if (a.kind === 'type') return b.kind === 'type' && typePatternCovers(a.type, b.type);
  if (b.kind === 'type') return a.kind === 'tool' && a.tool.name === '';
  if (!toolCovers(a.tool, b.tool)) return false;
  if (a.kind === 'tool') return true;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'request' && b.kind === 'request') return requestCovers(a, b);
  if (a.kind === 'path' && b.kind === 'path' && (a.path.base === 'cwd') !== (b.path.base === 'cwd'))
    return false;
  return wide.glob !== undefined && narrow.glob !== undefined && wide.glob.covers(narrow.glob);
}

function toolCovers(wide: ToolPattern, narrow: ToolPattern): boolean {
  if (wide.wildcard) return narrow.name.startsWith(wide.name);
  return !narrow.wildcard && (wide.name === narrow.name || toolGroup(wide.name).includes(narrow.name));
}

function requestCovers(wide: RequestPattern, narrow: RequestPattern): boolean {
  if (!hostPatternCovers(wide.host, narrow.host)) return false;
  if (wide.port !== undefined && wide.port !== narrow.port) return false;
  if (wide.methods !== undefined) {
    if (narrow.methods === undefined) return false;
    for (const method of narrow.methods) if (!wide.methods.has(method)) return false;
  }
  if (wide.path === undefined) return true;
  return narrow.path !== undefined && wide.path.covers(narrow.path);
}
