import type { ActionType, Risk } from '@sallyport/protocol';
import { type Finding, maxRisk, read, unknown, write } from '../finding.ts';
import {
  describeOperation,
  type GraphqlCall,
  type GraphqlOperation,
  readGraphqlOperation,
} from '../graphql-document.ts';
import type { Operation } from '../operation-table.ts';
import { isMembers } from '../request-body.ts';
import type { RequestView } from '../request-view.ts';

/** What a provider's GraphQL API has: its mutations by their field. */
export interface GraphqlApi {
  readonly mutations: () => ReadonlyMap<string, Operation>;
  /** whether a call is more than its field says, by its arguments */
  readonly isCritical?: (call: GraphqlCall) => boolean;
  /** what an operation is done to */
  readonly objectOf: (operation: GraphqlOperation) => string;
}

/**
 * A GraphQL request by its operation: `query` reads; a mutation is as risky as its riskiest field; one that has a field
 * which the provider does not publish, a subscription, and what cannot be read are of unknown kind.
 */
export function classifyGraphql(view: RequestView, api: GraphqlApi): Finding {
  const operation = readGraphqlOperation(view);
  return operation === undefined ? unknown('GraphQL document') : classifyOperation(operation, api);
}

export function classifyOperation(
  operation: GraphqlOperation,
  { mutations, objectOf, isCritical }: GraphqlApi,
): Finding {
  const name = describeOperation(operation);
  const object = objectOf(operation);
  if (operation.kind === 'query') return read(name, 'custom:http', { object });
  if (operation.kind === 'subscription') return unknown(name, 'custom:http', { object });
  let risk: Risk = 'low';
  let type: ActionType | undefined;
  for (const call of operation.calls) {
    const field = mutations().get(call.name);
    // `__typename` says nothing about what is done.
    if (field === undefined && call.name === '__typename') continue;
    if (field === undefined) return unknown(name, 'custom:http', { object });
    if (type === undefined || maxRisk(risk, field.risk) !== risk) ({ type } = field);
    risk = maxRisk(risk, isCritical?.(call) === true ? 'critical' : field.risk);
  }
  return write(name, type ?? 'custom:http', { risk, object });
}

const NAMES_A_THING = /(?:^i|I)ds?$|(?:^p|P)aths?$/;

/**
 * Everything that the calls of an operation name, sorted: `id`, `issueId`, `labelIds`, `projectPath`, in the arguments
 * or anywhere in their input. Ids are opaque, so what they name cannot be said in other words. With several calls each is
 * told with its own, so that two of them cannot change places [GA-11].
 */
export function idsOf({ calls }: GraphqlOperation): readonly string[] {
  const found = new Set<string>();
  for (const { name, args } of calls) {
    const ids = new Set<string>();
    collectIds(args, false, ids);
    if (calls.length === 1) for (const id of ids) found.add(id);
    else if (ids.size > 0) found.add(`${name}(${[...ids].sort().join(' ')})`);
  }
  return [...found].sort();
}

/** `isNamed`: the value stands under a name of a thing. */
function collectIds(value: unknown, isNamed: boolean, ids: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) collectIds(one, isNamed, ids);
  else if (isMembers(value))
    for (const [name, inner] of Object.entries(value)) collectIds(inner, NAMES_A_THING.test(name), ids);
  else if (isNamed && (typeof value === 'string' || typeof value === 'number')) ids.add(String(value));
}
