import { isDeepStrictEqual } from 'node:util';
import { SallyportError } from '@sallyport/protocol';
import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { CHANGED_KEYS, type ChangedKey, changedKey } from './changed-keys.ts';

interface Found {
  readonly pair: Pair<Node, Node | null>;
  readonly map: YAMLMap;
  /** the key that holds the map; undefined at the top */
  readonly above: Found | undefined;
  readonly change: ChangedKey;
}

/**
 * The text of a config file with its changed keys as they are now. A name is replaced where it stands; what is gone becomes a
 * comment. Everything else stays as a person wrote it. The result is read back and must be what was meant.
 *
 * Refuses with `ConfigInvalid` what cannot be edited that way; the text may be one that does not fit the schema.
 */
export function migrateText(text: string, known: readonly ChangedKey[] = CHANGED_KEYS): string {
  let current = text;
  for (;;) {
    const document = parse(current);
    if (document === undefined)
      throw new SallyportError('ConfigInvalid', {
        message: 'the file is no YAML',
        hint: 'mend that first: `sallyport config check` shows where',
      });
    const found = find(document.contents as Node | null, [], undefined, known);
    if (found === undefined) return current;
    const edited = edit(current, found);
    // INVARIANT: nobody's config is guessed at: everything but this key can be read back as it was.
    const after = edited === undefined ? undefined : parse(edited);
    if (
      edited === undefined ||
      after === undefined ||
      !isDeepStrictEqual(after.toJS(), expected(document.toJS(), found))
    )
      throw refusal(found);
    current = edited;
  }
}

function parse(text: string) {
  const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false, logLevel: 'silent' });
  return document.errors.length > 0 ? undefined : document;
}

function find(
  node: Node | null,
  path: readonly (string | number)[],
  above: Found | undefined,
  known: readonly ChangedKey[],
): Found | undefined {
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = find(item as Node, [...path, index], undefined, known);
      if (found !== undefined) return found;
    }
  }
  if (!isMap(node)) return undefined;
  for (const pair of node.items as Pair<Node, Node | null>[]) {
    if (!isScalar(pair.key)) continue;
    const here = [...path, String(pair.key.value)];
    const change = changedKey(here, known);
    const place: Found = {
      pair,
      map: node,
      above,
      change: change ?? { path: here.map(String), because: '' },
    };
    if (change !== undefined) return place;
    const found = find(pair.value, here, place, known);
    if (found !== undefined) return found;
  }
  return undefined;
}

function edit(text: string, found: Found): string | undefined {
  const [start, end] = found.pair.key.range ?? [];
  if (start === undefined || end === undefined) return undefined;
  if (found.change.to !== undefined) return text.slice(0, start) + found.change.to + text.slice(end);
  const going = emptied(found);
  return going.map.flow === true ? undefined : commentOut(text, going);
}

/** A map that would be left with nothing goes too: a key without a value is an error. */
function emptied(found: Found): Found {
  return found.map.items.length === 1 && found.above !== undefined ? emptied(found.above) : found;
}

function commentOut(text: string, { pair }: Found): string | undefined {
  const [start] = pair.key.range ?? [];
  const last = pair.value?.range?.[1] ?? pair.key.range?.[1];
  if (start === undefined || last === undefined) return undefined;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  // The first key of an item of a list shares its line with the dash.
  if (text.slice(from, start).trim() !== '') return undefined;
  const next = text.indexOf('\n', Math.max(start, last - 1));
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  return text.slice(0, from) + lines.map((line) => `# ${line}`).join('\n') + text.slice(to);
}

/** The same edit on plain data. */
function expected(value: unknown, { change, map, pair, above }: Found): unknown {
  const going = change.to === undefined ? emptied({ change, map, pair, above }).change.path : change.path;
  const changed = (node: unknown, depth: number): unknown => {
    const step = going[depth];
    if (Array.isArray(node) && step === '*') {
      // One at a time: the first that has it.
      const at = node.findIndex((item) => has(item, going.slice(depth + 1)));
      return node.map((item, index) => (index === at ? changed(item, depth + 1) : item));
    }
    if (typeof node !== 'object' || node === null || step === undefined) return node;
    return Object.fromEntries(
      Object.entries(node).flatMap(([key, inner]) => {
        if (key !== step) return [[key, inner]];
        if (depth < going.length - 1) return [[key, changed(inner, depth + 1)]];
        return change.to === undefined ? [] : [[change.to, inner]];
      }),
    );
  };
  const result = changed(value, 0);
  // A file of which nothing is left but comments.
  return typeof result === 'object' && result !== null && Object.keys(result).length === 0 ? null : result;
}

function has(node: unknown, path: readonly string[]): boolean {
  const [step, ...rest] = path;
  if (step === undefined) return true;
  return typeof node === 'object' && node !== null && step in node && has(Reflect.get(node, step), rest);
}

function refusal({ change }: Found): SallyportError {
  return new SallyportError('ConfigInvalid', {
    message: `\`${change.path.join('.')}\` cannot be changed in this file as it is written`,
    hint: 'change it by hand: `sallyport config check` says what it should be',
  });
}
