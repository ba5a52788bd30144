import { ACTION_TYPES, type ActionType, type Effect, type Risk } from '@sallyport/protocol';
import { riskOf } from '../risk.ts';
import { type Finding, maxRisk } from './finding.ts';
import { compilePathTree } from './path-table.ts';

/** One published operation of a provider. */
export interface Operation {
  /** the provider's own name of it: `issues/create-comment` */
  readonly name: string;
  readonly effect: Effect;
  readonly type: ActionType;
  readonly risk: Risk;
  /** answers with a credential, or makes one */
  readonly isSecret?: true;
  /** what it does stands in a statement of its body */
  readonly isStatement?: true;
}

/** One row of a table of requests. */
export interface OperationRow extends Operation {
  readonly method: string;
  readonly path: string;
}

const TYPES: ReadonlyMap<string, ActionType> = new Map(ACTION_TYPES.map((type) => [type, type]));
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Reads a table of requests. A line that begins with a slash says what the paths of the lines below it begin with; any
 * other line is one operation:
 *
 *     METHOD [/rest/of/the/{path}] NAME [word …]
 *
 * GET reads and the rest writes, of type `custom:http`, with the risk of the type, unless words behind the name say
 * otherwise: see `operationOf`. `nameOf`: for a provider whose operations have no name but this one; then no line has
 * any. Throws for a line that is none: a table with a mistake must not load.
 */
export function readRows(
  text: string,
  nameOf?: (method: string, path: string) => string,
): readonly OperationRow[] {
  const rows: OperationRow[] = [];
  let base = '';
  for (const line of linesOf(text)) {
    if (line.startsWith('/')) {
      base = line === '/' ? '' : line;
      continue;
    }
    const [method = '', ...rest] = line.split(/\s+/);
    const path = /^[/:]/.test(rest[0] ?? '') ? `${base}${rest.shift()}` : base;
    const name = nameOf === undefined ? rest.shift() : nameOf(method, path);
    if (!METHODS.has(method) || name === undefined) throw new Error(`not an operation: ${line}`);
    rows.push({ method, path, ...operationOf(name, method === 'GET' ? 'read' : 'write', rest) });
  }
  return rows;
}

/** Lines that say something; what follows `#` is for people. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/**
 * Reads operations that are told by their name alone: `WORDS: NAME NAME …`, over several lines if need be. Throws for
 * names before any words, and for one that comes twice.
 */
export function readNames(text: string): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>();
  let words: readonly string[] | undefined;
  for (const line of linesOf(text)) {
    const border = line.indexOf(': ');
    if (border !== -1) words = line.slice(0, border).split(/\s+/);
    for (const name of line.slice(border === -1 ? 0 : border + 2).split(/\s+/)) {
      if (words === undefined || operations.has(name)) throw new Error(`not an operation: ${name}`);
      operations.set(name, operationOf(name, 'write', words));
    }
  }
  return operations;
}

/**
 * One operation with the words of its row: `read` and `write` against what the method says; a type; `high` where the type is
 * less; `critical` for what
 * no standing answer covers (accounts, members, permissions, keys, hooks, pipelines, money, production); `secret` for
 * what answers with a credential or makes one, which is a critical write whatever its method; `statement` for what
 * runs a text of a query language.
 */
export function operationOf(name: string, usual: Effect, words: readonly string[] = []): Operation {
  let effect = usual;
  let type: ActionType = 'custom:http';
  let least: Risk = 'low';
  let isStatement = false;
  for (const word of words) {
    const named = TYPES.get(word);
    if (named !== undefined) type = named;
    else if (word === 'read' || word === 'write') effect = word;
    else if (word === 'high') least = 'high';
    else if (word === 'critical' || word === 'secret') least = 'critical';
    else if (word === 'statement') isStatement = true;
    else throw new Error(`\`${word}\` is no word of a table of operations`);
    if (word === 'secret') effect = 'write';
  }
  const risk = maxRisk(riskOf(type, effect), least);
  return {
    ...{ name, effect, type, risk },
    ...(words.includes('secret') ? { isSecret: true } : {}),
    ...(isStatement ? { isStatement } : {}),
  };
}

/** What a request of a known operation does, and to what. */
export function foundAs({ name, effect, type, risk }: Operation, object: string): Finding {
  return { effect, type, risk, operation: name, object };
}

/** Finds the operation of a request; `undefined` for what is in no row. HEAD and OPTIONS are the GET of their path. */
export type OperationLookup = (method: string, segments: readonly string[]) => OperationRow | undefined;

/** `rows` is asked for when the first request comes: most gateways never see most providers. */
export function compileOperations(rows: () => readonly OperationRow[]): OperationLookup {
  const find = once(() =>
    compilePathTree(
      rows().map((row) => [row.path, new Map([[row.method, row]])] as const),
      (old, added) => new Map([...old, ...added]),
    ),
  );
  return (method, segments) => {
    const here = find()(segments);
    return here?.get(method === 'HEAD' || method === 'OPTIONS' ? 'GET' : method);
  };
}

/** Makes something with the first call, and keeps it. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
