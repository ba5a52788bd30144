import type { McpChange } from '@sallyport/protocol';
import { visibleLine } from './output.ts';

export interface ChangeLine {
  readonly sign: '+' | '-';
  readonly text: string;
}

/** What is new and what is gone, each value on a line of its own and nothing in it hidden; all of it, never cut. */
export function describeChange({
  before,
  after,
}: Pick<McpChange, 'before' | 'after'>): readonly ChangeLine[] {
  const old = leavesOf(before ?? {});
  const now = leavesOf(after);
  const lines: ChangeLine[] = [];
  for (const path of [...new Set([...old.keys(), ...now.keys()])].toSorted()) {
    const [was, is] = [old.get(path), now.get(path)];
    if (was === is) continue;
    if (was !== undefined) lines.push({ sign: '-', text: visibleLine(`${path}: ${was}`) });
    if (is !== undefined) lines.push({ sign: '+', text: visibleLine(`${path}: ${is}`) });
  }
  return lines;
}

/** Each value of a JSON tree by its path, as JSON text. */
function leavesOf(
  value: unknown,
  path = '',
  leaves = new Map<string, string>(),
): ReadonlyMap<string, string> {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isBranch) leaves.set(path, JSON.stringify(value));
  else
    for (const [key, item] of Object.entries(value)) {
      const step = /^[A-Za-z0-9_$-]+$/.test(key) ? key : JSON.stringify(key);
      leavesOf(item, path === '' ? step : `${path}.${step}`, leaves);
    }
  return leaves;
}
