import { SallyportError } from '@sallyport/protocol';
import { isCollection, isMap, type Node, parseDocument } from 'yaml';

/** What may be written into the config: plain data that fits on one line. */
export type ListItem = string | { readonly [key: string]: ListItem | readonly ListItem[] | number | boolean };

export function parse(text: string) {
  const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false, logLevel: 'silent' });
  return document.errors.length > 0 ? undefined : document;
}

export function refusal(path: readonly string[]): SallyportError {
  return new SallyportError('ConfigInvalid', {
    message: `\`${path.join('.')}\` cannot be edited in this file as it is written`,
    hint: 'add the line by hand; `sallyport config check` tells whether it fits',
  });
}

/** `end`: behind the closing bracket. */
export function intoFlow(text: string, end: number, isEmpty: boolean, entry: string): string {
  const head = text.slice(0, end - 1);
  const kept = head.trimEnd();
  // A comment at the end of the last line would swallow what is put behind it.
  const glue = isEmpty || kept.endsWith(',') ? ' ' : ', ';
  const blank = head.slice(kept.length);
  return `${kept}${isEmpty ? '' : glue}${entry}${blank}${text.slice(end - 1)}`;
}

/** Behind the line that holds `at`, whatever comment stands at its end. */
export function behindLine(text: string, at: number, line: string): string {
  const end = text.indexOf('\n', at);
  if (end === -1) return `${text}\n${line}\n`;
  return `${text.slice(0, end)}\n${line}${text.slice(end)}`;
}

/** Where the last thing inside ends; a collection's own end may lie behind the comments that follow it. */
export function endOf(node: Node): number {
  if (!isCollection(node) || node.flow || node.items.length === 0) return node.range?.[1] ?? 0;
  const last = node.items.at(-1) as { readonly key?: Node; readonly value?: Node | null } & Node;
  if (isMap(node)) return last.value ? endOf(last.value) : (last.key?.range?.[1] ?? 0);
  return endOf(last);
}

/** The blanks before what stands at `at`, if nothing else does; a list inside of a list begins behind a dash. */
export function indentAt(text: string, at: number | undefined): string | undefined {
  if (at === undefined) return undefined;
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^ *$/.test(line) ? line : undefined;
}

const PLAIN = /^[A-Za-z][A-Za-z0-9_.-]*$/;
const WORDS_WITH_MEANING = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off']);

/** JSON is YAML; a plain word needs no quotes. SECURITY: a variable's sign is escaped, so that nothing is expanded. */
export function flow(item: ListItem | readonly ListItem[] | number | boolean): string {
  if (typeof item === 'number' || typeof item === 'boolean') return String(item);
  if (typeof item === 'string')
    return PLAIN.test(item) && !WORDS_WITH_MEANING.has(item.toLowerCase())
      ? item
      : JSON.stringify(item).replaceAll('${', () => '$${');
  if (Array.isArray(item)) return `[${item.map((part: ListItem) => flow(part)).join(', ')}]`;
  const entries = Object.entries(item).map(([key, value]) => `${flow(key)}: ${flow(value)}`);
  return `{ ${entries.join(', ')} }`;
}

/** What a value is once it was written and read back, escapes of variables as they are written. */
export function written(item: ListItem | readonly ListItem[] | number | boolean): unknown {
  return parseDocument(flow(item), { version: '1.2', schema: 'core' }).toJS();
}
