import type { RefChange, RepositoryFact } from '@sallyport/protocol';
import { type Finding, read, unknown, write } from '../finding.ts';
import { describeOperation, type GraphqlCall, readGraphqlOperation } from '../graphql-document.ts';
import { isMembers, type JsonMembers, stringMember } from '../request-body.ts';
import type { RequestView } from '../request-view.ts';
import { branchRef } from './github-content.ts';

const ANY_REF: RefChange = { ref: '*', change: 'unknown' };
// Mutations that move, make or delete a branch.
const CONTENT = new Set([
  'createCommitOnBranch',
  'createRef',
  'updateRef',
  'updateRefs',
  'deleteRef',
  'mergeBranch',
  'mergePullRequest',
  'enablePullRequestAutoMerge',
  'enqueuePullRequest',
  'updatePullRequestBranch',
  'revertPullRequest',
]);

/** A GraphQL request by its operation: `query` reads; mutations, subscriptions and what cannot be known write. */
export function classifyGraphql(view: RequestView): Finding {
  const operation = readGraphqlOperation(view);
  if (operation === undefined) return unknown('GraphQL document');
  const name = describeOperation(operation);
  return operation.kind === 'query' ? read(name) : write(name);
}

/** As above; GitHub's mutations of branches come with their repository and branch. */
export function classifyGithubGraphql(view: RequestView, repoHost: string): Finding {
  const operation = readGraphqlOperation(view);
  if (operation === undefined) return unknown('GraphQL document', 'custom:http', { repo: unknownRepo() });
  const name = describeOperation(operation);
  if (operation.kind === 'query') return read(name);
  const moving = operation.calls.filter((call) => CONTENT.has(call.name));
  if (moving.length === 0) return write(name);
  // Together with another mutation the branch says nothing about the whole.
  const [only] = moving;
  const single = only !== undefined && operation.calls.length === 1;
  const repo = single ? repositoryFact(only, repoHost) : unknownRepo();
  return write(name, 'vcs:push', { repo });
}

function unknownRepo(): RepositoryFact {
  return { area: 'contents', refs: [ANY_REF] };
}

function repositoryFact(call: GraphqlCall, repoHost: string): RepositoryFact {
  const input = isMembers(call.args.input) ? call.args.input : undefined;
  const change = refChange(call.name, input);
  const branch = isMembers(input?.branch) ? input.branch : undefined;
  const name =
    call.name === 'createCommitOnBranch' ? stringMember(branch, 'repositoryNameWithOwner') : undefined;
  const repository = name === undefined ? {} : { repository: `${repoHost}/${name}`.toLowerCase() };
  return { ...repository, area: 'contents', refs: [change] };
}

function refChange(mutation: string, input: JsonMembers | undefined): RefChange {
  switch (mutation) {
    case 'createCommitOnBranch': {
      const branch = isMembers(input?.branch) ? input.branch : undefined;
      // `id` names a branch by an opaque value; with both, GitHub decides which one counts.
      if (branch === undefined || branch.id !== undefined) return ANY_REF;
      const ref = branchRef(stringMember(branch, 'branchName'));
      return ref === '*' ? ANY_REF : { ref, change: 'update' };
    }
    case 'createRef': {
      const ref = stringMember(input, 'name');
      return ref?.startsWith('refs/') ? { ref, change: 'create' } : ANY_REF;
    }
    case 'deleteRef':
      return { ref: '*', change: 'delete' };
    case 'mergeBranch': {
      const ref = branchRef(stringMember(input, 'base'));
      return ref === '*' ? ANY_REF : { ref, change: 'update' };
    }
    default:
      return ANY_REF;
  }
}
