import { createHash } from 'node:crypto';
import { isPlainQuery } from '../sql-text.ts';
import { isMembers, type JsonMembers } from './request-body.ts';
import type { RequestView } from './request-view.ts';

/** Members that hold the statement. */
const STATEMENT = ['query', 'QueryString', 'Sql', 'Statement'] as const;
/** Members that change what is asked of no database, nor where its answer goes. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...[
    'useLegacySql',
    'timeoutMs',
    'maxResults',
    'location',
    'formatOptions',
    'useQueryCache',
    'kind',
    'labels',
  ],
  ...[
    'QueryExecutionContext',
    'WorkGroup',
    'Database',
    'ClusterIdentifier',
    'WorkgroupName',
    'Limit',
    'ConsistentRead',
  ],
]);
/** Members that are made anew for every request. */
const FRESH: ReadonlySet<string> = new Set([
  'requestId',
  'ClientRequestToken',
  'ClientToken',
  'jobReference',
]);

/**
 * What a request that runs a statement is done to: the object, with the statement by its digest. All that only asks for rows
 * is one thing.
 *
 * SECURITY: a yes to a question about one statement is none to another, which may drop what the first one read [GA-11].
 */
export function withStatement(view: RequestView, object: string): string {
  const members = view.wholeJson();
  if (members !== undefined && asksForRows(members)) return `${object} by plain queries`;
  const body = members === undefined ? view.wholeBody() : withoutFresh(members);
  // Without the whole body there is nothing to tell one from another: the target of the request is all.
  if (body === undefined) return `${object} by a statement that cannot be read`;
  return `${object} by statement ${createHash('sha256').update(body).digest('hex').slice(0, 32)}`;
}

function asksForRows(members: JsonMembers): boolean {
  const [name, ...more] = STATEMENT.filter((one) => members[one] !== undefined);
  const text = name === undefined || more.length > 0 ? undefined : members[name];
  if (typeof text !== 'string' || !isPlainQuery(text)) return false;
  return Object.keys(members).every((key) => key === name || HARMLESS.has(key) || FRESH.has(key));
}

function withoutFresh(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (FRESH.has(key)) return undefined;
    return isMembers(inner) ? Object.fromEntries(Object.entries(inner).sort(byName)) : inner;
  });
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;
