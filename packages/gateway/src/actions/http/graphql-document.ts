import type { FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { graphql } from '../../shared/graphql.ts';
import { isMembers, type JsonMembers, stringMember } from './request-body.ts';
import type { RequestView } from './request-view.ts';

/** One root field of an operation, by its own name (never its alias), with its arguments. */
export interface GraphqlCall {
  readonly name: string;
  readonly args: JsonMembers;
}

/** The operation that a GraphQL request runs; `undefined` when it cannot be known. */
export interface GraphqlOperation {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly calls: readonly GraphqlCall[];
}

// What people write has hundreds; beyond this a document is only there to keep the parser busy.
const MAX_TOKENS = 10_000;

/**
 * Finds the one operation that a GraphQL POST will run. `undefined` when that is not certain: a body that is not
 * all here or no JSON object, a batch, a persisted query, a syntax error, several operations without a name that
 * picks one, or a document in the query string as well.
 */
export function readGraphqlOperation(view: RequestView): GraphqlOperation | undefined {
  if (view.method !== 'POST' || view.hasQuery('query') || view.hasQuery('operationName')) return undefined;
  const members = view.wholeJson();
  const source = stringMember(members, 'query');
  if (members === undefined || source === undefined) return undefined;
  const name = members.operationName ?? undefined;
  if (name !== undefined && typeof name !== 'string') return undefined;
  const variables = members.variables ?? {};
  if (!isMembers(variables)) return undefined;
  try {
    return readDocument(source, name, variables);
  } catch {
    // Syntax errors, too many tokens, and a nesting too deep for the stack are all: not known.
    return undefined;
  }
}

function readDocument(
  source: string,
  name: string | undefined,
  variables: JsonMembers,
): GraphqlOperation | undefined {
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  const { Kind, parse, valueFromASTUntyped } = graphql();
  const document = parse(source, { noLocation: true, maxTokens: MAX_TOKENS });
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    else if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else return undefined;
  }
  // An empty name picks nothing in some servers and the only operation in others: with one, it is the same.
  const wanted = name === '' ? undefined : name;
  const chosen =
    wanted === undefined ? operations : operations.filter((operation) => operation.name?.value === wanted);
  const [operation] = chosen;
  if (operation === undefined || chosen.length !== 1) return undefined;

  const values: Record<string, unknown> = { ...variables };
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const key = variable.name.value;
    if (!Object.hasOwn(values, key) && defaultValue !== undefined) {
      values[key] = valueFromASTUntyped(defaultValue);
    }
  }
  const calls: GraphqlCall[] = [];
  collectCalls(operation.selectionSet, fragments, values, calls, new Set());
  return { kind: operation.operation, calls };
}

function collectCalls(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  variables: Readonly<Record<string, unknown>>,
  calls: GraphqlCall[],
  seen: Set<string>,
): void {
  const { Kind, valueFromASTUntyped } = graphql();
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      const args: Record<string, unknown> = {};
      for (const argument of selection.arguments ?? []) {
        args[argument.name.value] = valueFromASTUntyped(argument.value, variables);
      }
      calls.push({ name: selection.name.value, args });
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      collectCalls(selection.selectionSet, fragments, variables, calls, seen);
    } else {
      const fragment = fragments.get(selection.name.value);
      if (fragment === undefined || seen.has(selection.name.value)) continue;
      seen.add(selection.name.value);
      collectCalls(fragment.selectionSet, fragments, variables, calls, seen);
    }
  }
}

/** `mutation commentCreate,issueUpdate`: kind and root fields, each once, sorted. */
export function describeOperation(operation: GraphqlOperation): string {
  const names = new Set(operation.calls.map((call) => call.name));
  return `${operation.kind} ${[...names].sort().join(',')}`;
}
