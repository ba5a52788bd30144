import type { RefChange } from '@sallyport/protocol';
import { refProblem } from '../../../shared/ref-name.ts';
import type { Finding } from '../finding.ts';
import { isCiFile } from '../git/pipelines.ts';
import { repositoryName } from '../git/smart-http.ts';
import { type JsonMembers, stringMember } from '../request-body.ts';
import type { RequestView } from '../request-view.ts';

const ANY_REF: RefChange = { ref: '*', change: 'unknown' };

// GitHub also takes `heads/main` where it says "branch"; `HEAD` and expressions over commits are no names of a ref.
const PARTLY = /^(?:heads|tags|remotes|pull|refs)(?:\/|$)/;

/**
 * `main` → `refs/heads/main`; a full name of a branch or tag stays. `*` when there is none, or when it may mean
 * another branch than the name says, so that no list of branches covers it.
 */
export function branchRef(name: string | undefined): string {
  if (name === undefined) return '*';
  const full = /^refs\/(?:heads|tags)\/(.+)$/.exec(name);
  const short = full?.[1] ?? name;
  if (PARTLY.test(short) || refProblem(`refs/heads/${short}`) !== undefined) return '*';
  return full === null ? `refs/heads/${name}` : name;
}

const decode = (segments: readonly string[]): string | undefined => {
  try {
    return decodeURIComponent(segments.join('/'));
  } catch {
    return undefined;
  }
};

/**
 * Adds what a write of GitHub's REST API does to branches, from the path or from a JSON body that is all here.
 * `segments` starts at `repos`.
 */
export function withContent(
  finding: Finding,
  view: RequestView,
  segments: readonly string[],
  repoHost: string,
): Finding {
  const [, owner = '', name = '', , ...rest] = segments;
  const repository = repositoryName(repoHost, [owner, name]);
  const contents = (...refs: RefChange[]): Finding => ({
    ...finding,
    repo: { repository, area: 'contents', refs },
  });
  // SECURITY: a parameter may stand in the query as well (`?branch=main`, `?force=true`); with both, nobody but GitHub
  // knows which one counts [GA-15].
  const body = (): JsonMembers | undefined => (view.target.query === '' ? view.wholeJson() : undefined);
  switch (finding.operation) {
    case 'repos/create-or-update-file-contents':
      return ofFile(contents(updateOf(stringMember(body(), 'branch'))), rest);
    case 'repos/delete-file': {
      const inQuery = view.query('branch');
      // GitHub takes either; with both, nobody but GitHub knows which one counts.
      const alone = inQuery.length === 1 && view.wholeBody()?.length === 0;
      const branch =
        inQuery.length === 0 ? stringMember(view.wholeJson(), 'branch') : alone ? inQuery[0] : undefined;
      return ofFile(contents(updateOf(branch)), rest);
    }
    case 'git/create-ref': {
      const ref = stringMember(body(), 'ref');
      return ofCommits(contents(ref?.startsWith('refs/') ? { ref, change: 'create' } : ANY_REF));
    }
    case 'git/create-blob':
    case 'git/create-commit':
    case 'git/create-tag':
    case 'git/create-tree':
      return { ...finding, repo: { repository, area: 'other', refs: [] } };
    case 'git/delete-ref':
      return contents({ ref: refOf(rest.slice(1)), change: 'delete' });
    case 'git/update-ref':
      return ofCommits(contents({ ref: refOf(rest.slice(1)), change: forceOf(body()) }));
    case 'repos/merge':
      return ofCommits(contents(updateOf(stringMember(body(), 'base'))));
    case 'repos/merge-upstream':
      return ofCommits(contents(updateOf(stringMember(body(), 'branch'))));
    case 'pulls/merge':
    case 'pulls/merge-async':
    case 'pulls/update-branch':
    case 'code-scanning/commit-autofix':
      // The branch is a fact of the pull request or the alert, not of this call.
      return contents(ANY_REF);
    case 'repos/rename-branch': {
      const target = stringMember(body(), 'new_name');
      const created: RefChange =
        target === undefined ? ANY_REF : { ref: branchRef(target), change: 'create' };
      return contents({ ref: branchRef(decode(rest.slice(0, -1))), change: 'delete' }, created);
    }
    case 'repos/create-release':
      return {
        ...finding,
        repo: { repository, area: 'other', refs: [tagOf(stringMember(body(), 'tag_name'))] },
      };
    case 'repos/create-deployment':
      return deployment(finding, body());
    case 'actions/create-workflow-dispatch':
      return {
        ...finding,
        repo: { repository, area: 'actions', refs: [updateOf(stringMember(body(), 'ref'))] },
      };
    case 'repos/create-dispatch-event':
    case 'actions/re-run-workflow':
    case 'actions/re-run-workflow-failed-jobs':
    case 'actions/re-run-job-for-workflow-run':
    case 'actions/approve-workflow-run':
      // The branch is a fact of the run; and an approval of a run of a fork is not a run of one's own.
      return { ...finding, repo: { repository, area: 'actions', refs: [ANY_REF] } };
    // open: any operation
    default:
      return finding;
  }
}

/** SECURITY: who writes a pipeline runs what he likes with the secrets of the repository: no branch covers that [GA-15]. */
function ofFile(finding: Finding, path: readonly string[]): Finding {
  if (finding.repo === undefined || !isCiFile(decode(path))) return finding;
  return { ...finding, risk: 'critical', repo: { ...finding.repo, pipeline: true } };
}

/**
 * SECURITY: a ref can be set to any commit that GitHub has for the repository and its forks: what a stranger wrote, with
 * a pipeline of his own. Nothing in the request says what it changes [GA-15].
 */
function ofCommits(finding: Finding): Finding {
  if (finding.repo === undefined) return finding;
  return { ...finding, risk: 'critical', repo: { ...finding.repo, pipeline: true } };
}

function updateOf(branch: string | undefined): RefChange {
  const ref = branchRef(branch);
  return ref === '*' ? ANY_REF : { ref, change: 'update' };
}

function tagOf(tag: string | undefined): RefChange {
  return tag === undefined ? ANY_REF : { ref: `refs/tags/${tag}`, change: 'create' };
}

function refOf(segments: readonly string[]): string {
  const name = decode(segments);
  return name === undefined || segments.length < 2 ? '*' : `refs/${name}`;
}

/** Without the whole body `force` may stand where nobody looked. */
function forceOf(body: JsonMembers | undefined): RefChange['change'] {
  if (body === undefined) return 'unknown';
  return body.force === undefined || body.force === false ? 'update' : 'force';
}

const STAGING = /^(?:staging|dev|development|preview|test|qa)$/i;

function deployment(finding: Finding, body: JsonMembers | undefined): Finding {
  const environment = stringMember(body, 'environment');
  return environment !== undefined && STAGING.test(environment)
    ? { ...finding, type: 'deploy:staging', risk: 'high' }
    : finding;
}
