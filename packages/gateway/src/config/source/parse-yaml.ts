import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { expandVariables, type Variables } from './expand-variables.ts';
import type { ProblemList } from './problem-list.ts';
import type { MapEntry, MapNode, Place, ScalarNode, SourceFile, SourceNode } from './source-node.ts';
import { explainSyntaxError } from './syntax-error.ts';

const DEEPEST = 64;
/** nodes of one file once its aliases are written out: a bomb of ten lines makes billions */
const MOST_NODES = 200_000;
/** after the first few the parser only reports its own confusion */
const MOST_SYNTAX_ERRORS = 5;
/** SECURITY: what every object inherits can never be the name of anything */
const HOSTILE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export interface YamlInput {
  readonly text: string;
  readonly source: SourceFile;
  readonly env: Variables;
  readonly problems: ProblemList;
}

/**
 * Parses one YAML 1.2 document into nodes with places, variables expanded.
 *
 * Returns undefined when the text has no usable tree; why is in `problems`. Throws nothing.
 */
export function parseYaml(input: YamlInput): SourceNode | undefined {
  const lines = new LineCounter();
  const document = parse(input.text, lines);
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { source: input.source, line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (document === undefined) {
    input.problems.error(place(0), 'nested too deeply');
    return undefined;
  }
  for (const error of document.errors.slice(0, MOST_SYNTAX_ERRORS)) {
    const { message, hint } = explainSyntaxError(error, input.text);
    input.problems.error(place(error.pos[0]), message, hint);
  }
  if (document.errors.length > 0) return undefined;
  const { yaml } = document.directives ?? { yaml: { version: '1.2', explicit: false } };
  if (yaml.explicit === true && yaml.version !== '1.2') {
    input.problems.error(place(0), `YAML ${yaml.version} is not supported`, 'remove the `%YAML` line');
    return undefined;
  }
  if (document.contents === null) return undefined;
  return new TreeReader(input, place).read(document.contents, 0);
}

function parse(text: string, lineCounter: LineCounter): Document | undefined {
  try {
    // Duplicate keys are found below: the parser's own search takes quadratic time.
    return parseDocument(text, {
      version: '1.2',
      schema: 'core',
      uniqueKeys: false,
      merge: false,
      prettyErrors: false,
      logLevel: 'error',
      lineCounter,
    });
  } catch {
    // The parser is recursive: very deep nesting ends its stack.
    return undefined;
  }
}

/** Walks a document in its own order, so that an alias finds the anchor that stands before it. */
class TreeReader {
  readonly #input: YamlInput;
  readonly #place: (offset: number) => Place;
  readonly #anchors = new Map<string, Node>();
  readonly #open = new Set<Node>();
  #nodes = 0;

  constructor(input: YamlInput, place: (offset: number) => Place) {
    this.#input = input;
    this.#place = place;
  }

  read(node: unknown, depth: number): SourceNode | undefined {
    const place = this.#placeOf(node);
    this.#nodes += 1;
    if (this.#nodes > MOST_NODES) {
      if (this.#nodes === MOST_NODES + 1) {
        this.#fail(place, 'too many values', 'use fewer aliases, or split the file with `include`');
      }
      return undefined;
    }
    if (depth > DEEPEST) return this.#fail(place, `nested more than ${DEEPEST} levels deep`);
    if (isAlias(node)) return this.#readAlias(node.source, place, depth);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return emptyScalar(place);
    if (node.tag !== undefined && node.tag.length > 0) {
      return this.#fail(place, `tag \`${node.tag}\` is not supported`, 'for text use quotes');
    }
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    this.#open.add(node);
    const read = this.#readContent(node, place, depth);
    this.#open.delete(node);
    return read;
  }

  #readContent(node: Scalar | Node, place: Place, depth: number): SourceNode | undefined {
    if (isScalar(node)) return this.#readScalar(node, place);
    if (isMap(node)) return this.#readMap(node, place, depth);
    if (!isSeq(node)) return emptyScalar(place);
    const items: SourceNode[] = [];
    for (const item of node.items) {
      const read = this.read(item, depth + 1);
      if (read !== undefined) items.push(read);
    }
    return { kind: 'list', place, items };
  }

  #readAlias(name: string, place: Place, depth: number): SourceNode | undefined {
    const target = this.#anchors.get(name);
    if (target === undefined) return this.#fail(place, `alias \`*${name}\` has no anchor before it`);
    if (this.#open.has(target)) return this.#fail(place, `alias \`*${name}\` contains itself`);
    return this.read(target, depth);
  }

  #readMap(node: YAMLMap, place: Place, depth: number): MapNode {
    const entries = new Map<string, MapEntry>();
    for (const pair of node.items) {
      const keyPlace = this.#placeOf(pair.key, place);
      const key = this.#readKey(pair.key, keyPlace);
      // The value is read also under a bad key: its own problems count, and so do its anchors.
      const value = this.read(pair.value, depth + 1) ?? { ...emptyScalar(keyPlace), broken: true };
      if (key === undefined) continue;
      const first = entries.get(key);
      if (first !== undefined) {
        this.#fail(keyPlace, `key \`${key}\` is there twice`, `the first is in line ${first.keyPlace.line}`);
        continue;
      }
      entries.set(key, { keyPlace, value });
    }
    return { kind: 'map', place, entries };
  }

  #readKey(key: unknown, place: Place): string | undefined {
    if (!isScalar(key) || key.value === null) return this.#fail(place, 'a key must be text');
    // A number or boolean is a name here, and is taken as written.
    const text = typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
    if (text === '<<') return this.#fail(place, 'merge keys (`<<`) are not supported', 'write the keys out');
    if (HOSTILE_KEYS.has(text)) return this.#fail(place, `\`${text}\` cannot be a key`);
    return text;
  }

  #readScalar(node: Scalar, place: Place): ScalarNode {
    const written = node.source ?? String(node.value);
    const { value } = node;
    if (typeof value === 'number' || typeof value === 'boolean') {
      return { kind: 'scalar', place, value, written, broken: false };
    }
    if (typeof value !== 'string') return { ...emptyScalar(place), written };
    const expansion = expandVariables(value, this.#input.env);
    for (const problem of expansion.problems) {
      const inLine = node.type === 'PLAIN' || !value.includes('\n');
      const at = inLine ? { ...place, column: place.column + problem.offset + quoteWidth(node) } : place;
      this.#fail(at, problem.message, problem.hint);
    }
    const plain = node.type === 'PLAIN' && expansion.expanded;
    return {
      kind: 'scalar',
      place,
      value: plain ? typedValue(expansion.text) : expansion.text,
      written,
      broken: expansion.problems.length > 0,
    };
  }

  #placeOf(node: unknown, fallback?: Place): Place {
    const range = isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range : undefined;
    return range ? this.#place(range[0]) : (fallback ?? this.#place(0));
  }

  #fail(place: Place, message: string, hint?: string): undefined {
    this.#input.problems.error(place, message, hint);
    return undefined;
  }
}

function quoteWidth(node: Scalar): number {
  return node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
}

function emptyScalar(place: Place): ScalarNode {
  return { kind: 'scalar', place, value: null, written: '', broken: false };
}

/** An unquoted `${PORT}` is a number when the variable holds one; in quotes it is always text. */
function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}
