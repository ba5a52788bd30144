import type { RefChange, RepositoryFact } from '@sallyport/protocol';
import { type Finding, unknown } from '../finding.ts';
import { isCiFile } from '../git/pipelines.ts';
import { type GraphqlCall, type GraphqlOperation, readGraphqlOperation } from '../graphql-document.ts';
import { once, readNames } from '../operation-table.ts';
import { GITHUB_MUTATIONS } from '../operations/github-mutations.ts';
import { isMembers, type JsonMembers, stringMember } from '../request-body.ts';
import type { RequestView } from '../request-view.ts';
import { branchRef } from './github-content.ts';
import { isRemark } from './github-reviews.ts';
import { classifyOperation, idsOf } from './graphql.ts';

export const githubMutations = once(() => readNames(GITHUB_MUTATIONS));

const ANY_REF: RefChange = { ref: '*', change: 'unknown' };
const UNKNOWN_REPO: RepositoryFact = { area: 'contents', refs: [ANY_REF] };

/** Whether a mutation moves, makes or deletes a branch. */
const movesBranch = ({ name }: GraphqlCall): boolean =>
  githubMutations().get(name)?.type.startsWith('vcs:') === true;

/** GitHub's GraphQL API; its mutations of branches come with their repository and branch. */
export function classifyGithubGraphql(view: RequestView, repoHost: string): Finding {
  const operation = readGraphqlOperation(view);
  if (operation === undefined) return unknown('GraphQL document', 'custom:http', { repo: UNKNOWN_REPO });
  const objectOf = (): string => objectIn(operation, repoHost);
  const finding = classifyOperation(operation, { mutations: githubMutations, objectOf, isCritical });
  if (operation.kind === 'query') return finding;
  const moving = operation.calls.filter(movesBranch);
  if (moving.length === 0) return finding;
  // Together with another mutation the branch says nothing about the whole.
  const [only] = moving;
  if (only === undefined || operation.calls.length !== 1) return { ...finding, repo: UNKNOWN_REPO };
  const repo = repositoryFact(only, repoHost);
  return changesCi(only)
    ? { ...finding, risk: 'critical', repo: { ...repo, pipeline: true } }
    : { ...finding, repo };
}

/** Approving, and making a repository that all can read, are no smaller things than the settings of one. */
function isCritical(call: GraphqlCall): boolean {
  const input = inputOf(call);
  switch (call.name) {
    case 'addPullRequestReview':
    case 'submitPullRequestReview':
      return !isRemark(input?.event);
    case 'createRepository':
    case 'cloneTemplateRepository':
      return input?.visibility !== 'PRIVATE';
    // open: any mutation
    default:
      return false;
  }
}

/** The repository of a commit, else what the ids name, else whatever the credential gives. */
function objectIn(operation: GraphqlOperation, repoHost: string): string {
  const [only] = operation.calls;
  const name = only === undefined || operation.calls.length > 1 ? undefined : repositoryOf(only);
  if (name !== undefined) return `${repoHost}/${name}`.toLowerCase();
  return [repoHost, ...idsOf(operation)].join(' ');
}

const inputOf = ({ args }: GraphqlCall): JsonMembers | undefined =>
  isMembers(args.input) ? args.input : undefined;

const branchOf = (call: GraphqlCall): JsonMembers | undefined => {
  const branch = inputOf(call)?.branch;
  return isMembers(branch) ? branch : undefined;
};

function repositoryOf(call: GraphqlCall): string | undefined {
  return call.name === 'createCommitOnBranch'
    ? stringMember(branchOf(call), 'repositoryNameWithOwner')
    : undefined;
}

function repositoryFact(call: GraphqlCall, repoHost: string): RepositoryFact {
  const name = repositoryOf(call);
  const repository = name === undefined ? {} : { repository: `${repoHost}/${name}`.toLowerCase() };
  return { ...repository, area: 'contents', refs: [refChange(call)] };
}

/** Whether a commit writes or deletes a file that pipelines run by, as far as its input tells. */
function changesCi(call: GraphqlCall): boolean {
  if (call.name !== 'createCommitOnBranch') return false;
  const changes = inputOf(call)?.fileChanges;
  if (!isMembers(changes)) return false;
  // GraphQL takes one thing for a list of one.
  const files: readonly unknown[] = [changes.additions ?? [], changes.deletions ?? []].flat();
  return files.some((file) => !isMembers(file) || isCiFile(stringMember(file, 'path')));
}

function refChange(call: GraphqlCall): RefChange {
  const input = inputOf(call);
  switch (call.name) {
    case 'createCommitOnBranch': {
      const branch = branchOf(call);
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
    // open: any mutation
    default:
      return ANY_REF;
  }
}
