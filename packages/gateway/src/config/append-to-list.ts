import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import {
  behindLine,
  endOf,
  flow,
  indentAt,
  intoFlow,
  type ListItem,
  parse,
  refusal,
  written,
} from './yaml-text.ts';

/**
 * The text of a config file with one more item at the end of the list at `path`, which is made where there is none.
 *
 * Everything else stays as a person wrote it: comments, order, quotes, blank lines. The result is read back and must be
 * the old config and the item, or nothing is returned: refuses with `ConfigInvalid` what it cannot edit that way.
 */
export function appendToList(text: string, path: readonly string[], item: ListItem): string {
  const before = parse(text);
  if (before === undefined) throw refusal(path);
  const edited = insert(text, before.contents as Node | null, path, flow(item));
  // INVARIANT: nobody's config is guessed at: what was meant is what can be read back.
  const after = edited === undefined ? undefined : parse(edited);
  if (edited === undefined || after === undefined) throw refusal(path);
  if (!isDeepStrictEqual(after.toJS(), appended(before.toJS(), path, item))) throw refusal(path);
  return edited;
}

/** Undefined where the file has something else than maps on the way, or a form that is not known here. */
function insert(text: string, root: Node | null, path: readonly string[], item: string): string | undefined {
  if (root === null) return `${text.replace(/\n*$/, '\n')}${blockOf(path, item, '')}\n`;
  let node: Node | null = root;
  for (const [depth, key] of path.entries()) {
    if (!isMap(node)) return undefined;
    const pair = node.items.find(({ key: name }) => isScalar(name) && name.value === key);
    const rest = path.slice(depth);
    if (pair === undefined) return intoMap(text, node, rest, item);
    const { value } = pair as { readonly value: Node | null };
    // `rules:` with nothing behind it.
    if (value === null || (isScalar(value) && value.value === null))
      return isScalar(pair.key) && !node.flow
        ? behindKey(text, pair.key.range?.[1], indentAt(text, pair.key.range?.[0]), rest.slice(1), item)
        : undefined;
    node = value;
  }
  return isSeq(node) ? intoList(text, node, item) : undefined;
}

function intoList(text: string, list: YAMLSeq, item: string): string | undefined {
  const { range } = list;
  if (!range) return undefined;
  if (list.flow) return intoFlow(text, range[1], list.items.length === 0, item);
  const indent = indentAt(text, range[0]);
  return indent === undefined ? undefined : behindLine(text, endOf(list), `${indent}- ${item}`);
}

function intoMap(text: string, map: YAMLMap, path: readonly string[], item: string): string | undefined {
  const { range } = map;
  if (!range) return undefined;
  if (map.flow) {
    const [key = '', ...rest] = path;
    const value = rest.reduceRight((inner, name) => `{ ${flow(name)}: ${inner} }`, `[${item}]`);
    return intoFlow(text, range[1], map.items.length === 0, `${flow(key)}: ${value}`);
  }
  const indent = indentAt(text, range[0]);
  return indent === undefined ? undefined : behindLine(text, endOf(map), blockOf(path, item, indent));
}

function behindKey(
  text: string,
  at: number | undefined,
  indent: string | undefined,
  path: readonly string[],
  item: string,
): string | undefined {
  if (at === undefined || indent === undefined) return undefined;
  const inner = `${indent}  `;
  return behindLine(text, at, path.length === 0 ? `${inner}- ${item}` : blockOf(path, item, inner));
}

function blockOf(path: readonly string[], item: string, indent: string): string {
  const keys = path.map((key, depth) => `${indent}${'  '.repeat(depth)}${flow(key)}:`);
  return [...keys, `${indent}${'  '.repeat(path.length)}- ${item}`].join('\n');
}

/** What the edited text must say, escapes of variables as they are written. */
function appended(config: unknown, path: readonly string[], item: ListItem): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return [...((config as readonly unknown[] | null | undefined) ?? []), written(item)];
  const map = (config ?? {}) as Readonly<Record<string, unknown>>;
  return { ...map, [key]: appended(map[key], rest, item) };
}
