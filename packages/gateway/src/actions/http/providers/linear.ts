import { type Finding, read, secret, unknown } from '../finding.ts';
import type { RequestView } from '../request-view.ts';
import { classifyGraphql } from './github-graphql.ts';

/** Linear: one GraphQL endpoint, file downloads; the OAuth endpoints hand out tokens. */
export function classifyLinear(view: RequestView): Finding {
  if (view.host === 'uploads.linear.app') {
    return view.isSafe ? read('download') : unknown('Linear upload');
  }
  if (view.segments[0] === 'oauth') return secret('oauth');
  return view.path === '/graphql' ? classifyGraphql(view) : unknown('Linear operation');
}
