import type { RefChange, RepositoryFact } from '@sallyport/protocol';
import { refProblem } from '../../../shared/ref-name.ts';
import { type Finding, unknown, write } from '../finding.ts';
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
 * Writes of GitHub's REST API that move a branch or start a workflow, with their branch: from the path, or from
 * a JSON body that is all here. `undefined`: not such a write. `segments` starts at `repos`.
 */
export function classifyContentWrite(
  view: RequestView,
  segments: readonly string[],
  repoHost: string,
): Finding | undefined {
  const [, owner = '', name = '', area = '', ...rest] = segments;
  const repository = repositoryName(repoHost, [owner, name]);
  const contents = (...refs: RefChange[]): RepositoryFact => ({ repository, area: 'contents', refs });
  const method = view.method;
  const body = (): JsonMembers | undefined => view.wholeJson();
  const key = `${method} ${area}`;

  switch (key) {
    case 'PUT contents':
      return write('repos/create-or-update-file-contents', 'vcs:push', {
        repo: contents(updateOf(stringMember(body(), 'branch'))),
      });
    case 'DELETE contents': {
      const inQuery = view.query('branch');
      // GitHub takes either; with both, nobody but GitHub knows which one counts.
      const alone = inQuery.length === 1 && view.wholeBody()?.length === 0;
      const branch = inQuery.length === 0 ? stringMember(body(), 'branch') : alone ? inQuery[0] : undefined;
      return write('repos/delete-file', 'vcs:push', { repo: contents(updateOf(branch)) });
    }
    case 'POST git':
      if (rest[0] === 'refs' && rest.length === 1) {
        const ref = stringMember(body(), 'ref');
        const change: RefChange = ref?.startsWith('refs/') ? { ref, change: 'create' } : ANY_REF;
        return write('git/create-ref', 'vcs:branch', { repo: contents(change) });
      }
      return write(`git/create-${rest[0] ?? ''}`, 'vcs:commit', {
        repo: { repository, area: 'other', refs: [] },
      });
    case 'PATCH git':
    case 'DELETE git':
      if (rest[0] !== 'refs' || rest.length < 3)
        return unknown(`${method} git`, 'vcs:branch', { repo: contents(ANY_REF) });
      return method === 'DELETE'
        ? write('git/delete-ref', 'vcs:branch', {
            risk: 'high',
            repo: contents({ ref: refOf(rest.slice(1)), change: 'delete' }),
          })
        : updateRef(refOf(rest.slice(1)), body(), contents);
    case 'POST merges':
      return write('repos/merge', 'vcs:push', { repo: contents(updateOf(stringMember(body(), 'base'))) });
    case 'POST merge-upstream':
      return write('repos/merge-upstream', 'vcs:push', {
        repo: contents(updateOf(stringMember(body(), 'branch'))),
      });
    case 'PUT pulls':
      // The base branch is a fact of the pull request, not of this call.
      if (rest[1] === 'merge') return write('pulls/merge', 'vcs:push', { repo: contents(ANY_REF) });
      if (rest[1] === 'update-branch')
        return write('pulls/update-branch', 'vcs:push', { repo: contents(ANY_REF) });
      return undefined;
    case 'POST branches':
      return rest.at(-1) === 'rename' ? renameBranch(rest.slice(0, -1), body(), contents) : undefined;
    case 'POST releases':
      if (rest.length > 0) return undefined;
      return write('repos/create-release', 'vcs:push', {
        repo: { repository, area: 'other', refs: [tagOf(stringMember(body(), 'tag_name'))] },
      });
    case 'POST deployments':
      return deployment(rest, body());
    case 'POST dispatches':
      return write('repos/create-dispatch-event', 'custom:http', {
        repo: { repository, area: 'actions', refs: [ANY_REF] },
      });
    case 'POST actions':
      return workflowRun(rest, body(), repository);
    default:
      return undefined;
  }
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
  return name === undefined ? '*' : `refs/${name}`;
}

type Contents = (...refs: RefChange[]) => RepositoryFact;

function updateRef(ref: string, body: JsonMembers | undefined, contents: Contents): Finding {
  // Without the whole body `force` may stand where nobody looked.
  const force = body?.force;
  const change = body === undefined ? 'unknown' : force === undefined || force === false ? 'update' : 'force';
  return write('git/update-ref', 'vcs:push', { repo: contents({ ref, change }) });
}

function renameBranch(path: readonly string[], body: JsonMembers | undefined, contents: Contents): Finding {
  const target = stringMember(body, 'new_name');
  const created: RefChange = target === undefined ? ANY_REF : { ref: branchRef(target), change: 'create' };
  return write('repos/rename-branch', 'vcs:branch', {
    risk: 'high',
    repo: contents({ ref: branchRef(decode(path)), change: 'delete' }, created),
  });
}

function deployment(rest: readonly string[], body: JsonMembers | undefined): Finding {
  const environment = rest.length === 0 ? stringMember(body, 'environment') : undefined;
  const staging =
    environment !== undefined && /^(?:staging|dev|development|preview|test|qa)$/i.test(environment);
  return write('repos/create-deployment', staging ? 'deploy:staging' : 'deploy:production');
}

function workflowRun(
  rest: readonly string[],
  body: JsonMembers | undefined,
  repository: string,
): Finding | undefined {
  const last = rest.at(-1);
  if (rest[0] === 'workflows' && last === 'dispatches') {
    return write('actions/create-workflow-dispatch', 'custom:http', {
      repo: { repository, area: 'actions', refs: [updateOf(stringMember(body, 'ref'))] },
    });
  }
  if (rest[0] !== 'runs' && rest[0] !== 'jobs') return undefined;
  // The branch is a fact of the run; and an approval of a run of a fork is not a run of one's own.
  return write(`actions/${rest[0]} ${last ?? ''}`, 'custom:http', {
    repo: { repository, area: 'actions', refs: [ANY_REF] },
  });
}
