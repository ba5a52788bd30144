import { type Finding, read, secret, unlisted } from '../finding.ts';
import { once, readNames } from '../operation-table.ts';
import { LINEAR_MUTATIONS } from '../operations/linear.ts';
import type { RequestView } from '../request-view.ts';
import { classifyGraphql, type GraphqlApi } from './graphql.ts';

export const linearMutations = once(() => readNames(LINEAR_MUTATIONS));

// A key of Linear's belongs to one workspace: the credential says which.
const API: GraphqlApi = { mutations: linearMutations, objectOf: () => 'linear.app' };

/** Linear: one GraphQL endpoint, file downloads; the OAuth endpoints hand out tokens. */
export function classifyLinear(view: RequestView): Finding {
  if (view.host === 'uploads.linear.app') return view.isSafe ? read('download') : unlisted(view);
  if (view.segments[0] === 'oauth') return secret('oauth');
  return view.path === '/graphql' ? classifyGraphql(view, API) : unlisted(view);
}
