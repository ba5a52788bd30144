import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
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

export type Value = ListItem | readonly ListItem[] | number | boolean;
type Step = string | number;
type Found = Pair<Node, Node | null>;

/**
 * The text of a config file with `value` at `path`, in place of what stands there, or new at the end of the nearest map.
 * Everything else stays as a person wrote it. Refuses with `ConfigInvalid` what it cannot edit that way. A new entry
 * gets `comment` as a line above it.
 */
export function setEntry(text: string, path: readonly string[], value: Value, comment?: string): string {
  const before = parse(text);
  if (before === undefined) throw refusal(path);
  const wanted = withValue(before.toJS(), path, written(value));
  if (isDeepStrictEqual(before.toJS(), wanted)) return text;
  const edited = put(text, before.contents as Node | null, path, value, comment);
  // INVARIANT: nobody's config is guessed at: what was meant is what can be read back.
  if (edited === undefined || !isDeepStrictEqual(parse(edited)?.toJS(), wanted)) throw refusal(path);
  return edited;
}

/**
 * The text without the entry at `path` (keys of maps, indexes of lists), its line's comment included. A collection that
 * is empty then stays as `{}` or `[]`: absent means something else.
 */
export function removeEntry(text: string, path: readonly Step[]): string {
  const before = parse(text);
  if (before === undefined) throw refusal(path.map(String));
  const edited = cut(text, before.contents as Node | null, path);
  const wanted = withoutValue(before.toJS(), path);
  if (edited === undefined || !isDeepStrictEqual(parse(edited)?.toJS(), wanted))
    throw refusal(path.map(String));
  return edited;
}

function put(
  text: string,
  root: Node | null,
  path: readonly string[],
  value: Value,
  comment: string | undefined,
): string | undefined {
  if (root === null) return `${text.replace(/\n*$/, '\n')}${block(path, value, '', comment)}\n`;
  let node: Node = root;
  for (const [depth, key] of path.entries()) {
    if (!isMap(node)) return undefined;
    const rest = path.slice(depth);
    const pair = pairOf(node, key);
    if (pair === undefined) return intoMap(text, node, rest, value, comment);
    const isLast = rest.length === 1;
    const inner = pair.value;
    if (inner === null || (isScalar(inner) && inner.value === null) || (isEmpty(inner) && !isLast)) {
      if (node.flow) return undefined;
      const indent = indentAt(text, pair.key.range?.[0]);
      const from = pair.key.range?.[1];
      if (indent === undefined || from === undefined) return undefined;
      // `channels:` or `channels: {}` with nothing in it: what follows goes below.
      const bare = isEmpty(inner)
        ? text.slice(0, from) + text.slice(from).replace(/^: *(\{\}|\[\])/, ':')
        : text;
      if (isLast)
        return `${bare.slice(0, from)}: ${flow(value)}${bare.slice(from).replace(/^: *(?:null|~)?/, '')}`;
      return behindLine(bare, from, block(rest.slice(1), value, `${indent}  `, comment));
    }
    if (isLast) return replace(text, inner, value);
    node = inner;
  }
  return undefined;
}

function replace(text: string, node: Node, value: Value): string | undefined {
  const { range } = node;
  if (!range) return undefined;
  const isBlock = (isMap(node) || isSeq(node)) && !node.flow;
  if (!isBlock) return text.slice(0, range[0]) + flow(value) + text.slice(range[1]);
  // A block begins on a line of its own: its value goes behind the colon.
  const colon = text.lastIndexOf(':', range[0]);
  const end = lineEnd(text, endOf(node));
  return `${text.slice(0, colon + 1)} ${flow(value)}${text.slice(end)}`;
}

function intoMap(
  text: string,
  map: YAMLMap,
  path: readonly string[],
  value: Value,
  comment: string | undefined,
): string | undefined {
  const { range } = map;
  if (!range) return undefined;
  if (map.flow) {
    const [key = '', ...rest] = path;
    const inner = rest.reduceRight((made, name) => `{ ${flow(name)}: ${made} }`, flow(value));
    return intoFlow(text, range[1], map.items.length === 0, `${flow(key)}: ${inner}`);
  }
  const indent = indentAt(text, range[0]);
  return indent === undefined ? undefined : behindLine(text, endOf(map), block(path, value, indent, comment));
}

/** Keys on lines of their own down to the last one, which has its value beside it. */
function block(path: readonly string[], value: Value, indent: string, comment: string | undefined): string {
  const lines = path.map((key, depth) => {
    const end = depth === path.length - 1 ? ` ${flow(value)}` : '';
    return `${indent}${'  '.repeat(depth)}${flow(key)}:${end}`;
  });
  return [...(comment === undefined ? [] : [`${indent}# ${comment}`]), ...lines].join('\n');
}

function cut(text: string, root: Node | null, path: readonly Step[]): string | undefined {
  let node = root;
  let holder: Found | undefined;
  for (const [depth, step] of path.entries()) {
    const isLast = depth === path.length - 1;
    if (isMap(node)) {
      const pair = pairOf(node, String(step));
      if (pair === undefined) return undefined;
      if (isLast) return cutItem(text, node, pair.key.range?.[0], pair.value ?? pair.key, holder);
      [holder, node] = [pair, pair.value];
    } else if (isSeq(node)) {
      const item = node.items[Number(step)] as Node | undefined;
      if (item === undefined) return undefined;
      if (isLast) return cutItem(text, node, item.range?.[0], item, holder);
      [holder, node] = [undefined, item];
    } else return undefined;
  }
  return undefined;
}

function cutItem(
  text: string,
  within: Node,
  from: number | undefined,
  item: Node,
  holder: Found | undefined,
): string | undefined {
  if (from === undefined || !(isMap(within) || isSeq(within))) return undefined;
  const end = endOf(item);
  if (within.flow) return cutFlow(text, from, end);
  const start = text.lastIndexOf('\n', from - 1) + 1;
  // An item on the line of a dash of its list (`- a: 1`) is not a line of its own.
  if (isMap(within) && !/^ *$/.test(text.slice(start, from))) return undefined;
  const next = lineEnd(text, end) + 1;
  const rest = text.slice(0, start) + text.slice(next);
  if (within.items.length > 1) return rest;
  const colon = holder?.key.range?.[1];
  if (colon === undefined) return undefined;
  return `${rest.slice(0, colon)}: ${isSeq(within) ? '[]' : '{}'}${rest.slice(colon + 1)}`;
}

/** With the comma behind it, or the one before it. */
function cutFlow(text: string, from: number, end: number): string {
  const behind = /^\s*,\s*/.exec(text.slice(end));
  if (behind !== null) return text.slice(0, from) + text.slice(end + behind[0].length);
  const before = /,\s*$/.exec(text.slice(0, from));
  return text.slice(0, from - (before?.[0].length ?? 0)) + text.slice(end);
}

function pairOf(map: YAMLMap, key: string): Found | undefined {
  return map.items.find(({ key: name }) => isScalar(name) && String(name.value) === key) as Found | undefined;
}

function isEmpty(node: Node | null): boolean {
  return (isMap(node) || isSeq(node)) && node.items.length === 0;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

function withValue(config: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const map = (config ?? {}) as Readonly<Record<string, unknown>>;
  return { ...map, [key]: withValue(map[key], rest, value) };
}

function withoutValue(config: unknown, path: readonly Step[]): unknown {
  const [key = '', ...rest] = path;
  if (Array.isArray(config)) {
    const at = Number(key);
    return rest.length === 0 ? config.toSpliced(at, 1) : config.with(at, withoutValue(config[at], rest));
  }
  const { [String(key)]: here, ...others } = config as Readonly<Record<string, unknown>>;
  return rest.length === 0 ? others : { ...(config as object), [String(key)]: withoutValue(here, rest) };
}
