import { isDeepStrictEqual } from 'node:util';
import { SallyportError } from '@sallyport/protocol';
import {
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/** What may be written behind a list of the config: plain data that fits on one line. */
export type ListItem = string | { readonly [key: string]: ListItem | readonly ListItem[] | number | boolean };

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

function parse(text: string) {
  const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false, logLevel: 'silent' });
  return document.errors.length > 0 ? undefined : document;
}

function refusal(path: readonly string[]): SallyportError {
  return new SallyportError('ConfigInvalid', {
    message: `\`${path.join('.')}\` cannot be edited in this file as it is written`,
    hint: 'add the line by hand; `sallyport config check` tells whether it fits',
  });
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

/** `end`: behind the closing bracket. */
function intoFlow(text: string, end: number, isEmpty: boolean, entry: string): string {
  const head = text.slice(0, end - 1);
  const kept = head.trimEnd();
  // A comment at the end of the last line would swallow what is put behind it.
  const glue = isEmpty || kept.endsWith(',') ? ' ' : ', ';
  const blank = head.slice(kept.length);
  return `${kept}${isEmpty ? '' : glue}${entry}${blank}${text.slice(end - 1)}`;
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

/** Behind the line that holds `at`, whatever comment stands at its end. */
function behindLine(text: string, at: number, line: string): string {
  const end = text.indexOf('\n', at);
  if (end === -1) return `${text}\n${line}\n`;
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}

/** Where the last thing inside ends; a collection's own end may lie behind the comments that follow it. */
function endOf(node: Node): number {
  if (!isCollection(node) || node.flow || node.items.length === 0) return node.range?.[1] ?? 0;
  const last = node.items.at(-1) as { readonly key?: Node; readonly value?: Node | null } & Node;
  if (isMap(node)) return last.value ? endOf(last.value) : (last.key?.range?.[1] ?? 0);
  return endOf(last);
}

/** The blanks before what stands at `at`, if nothing else does; a list inside of a list begins behind a dash. */
function indentAt(text: string, at: number | undefined): string | undefined {
  if (at === undefined) return undefined;
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^ *$/.test(line) ? line : undefined;
}

const PLAIN = /^[A-Za-z][A-Za-z0-9_.-]*$/;
const WORDS_WITH_MEANING = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off']);

/** JSON is YAML; a plain word needs no quotes. SECURITY: a variable's sign is escaped, so that nothing is expanded. */
function flow(item: ListItem | readonly ListItem[] | number | boolean): string {
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  if (typeof item === 'string')
    return PLAIN.test(item) && !WORDS_WITH_MEANING.has(item.toLowerCase())
      ? item
      : JSON.stringify(item).replaceAll('${', () => '$${');
  if (Array.isArray(item)) return `[${item.map((part: ListItem) => flow(part)).join(', ')}]`;
  const entries = Object.entries(item).map(([key, value]) => `${flow(key)}: ${flow(value)}`);
  return `{ ${entries.join(', ')} }`;
}

/** What the edited text must say, escapes of variables as they are written. */
function appended(config: unknown, path: readonly string[], item: ListItem): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return [...((config as readonly unknown[] | null | undefined) ?? []), written(item)];
  const map = (config ?? {}) as Readonly<Record<string, unknown>>;
  return { ...map, [key]: appended(map[key], rest, item) };
}

function written(item: ListItem | readonly ListItem[] | number | boolean): unknown {
  return parseDocument(flow(item), { version: '1.2', schema: 'core' }).toJS();
}
