import type { RefChange, RepositoryFact } from '@sallyport/protocol';
import type { Finding } from '../finding.ts';
import { isCiFile } from '../git/pipelines.ts';
import type { OperationRow } from '../operation-table.ts';
import { isMembers, type JsonMembers, stringMember } from '../request-body.ts';
import type { RequestView } from '../request-view.ts';
import { branchRef } from './github-content.ts';
import { isPlainTalk, onlyDescribe } from './plain-talk.ts';

const ANY_REF: RefChange = { ref: '*', change: 'unknown' };
const PROJECT = '/api/v4/projects/{id}';
const ISSUE = `${PROJECT}/issues/{issue_iid}`;
const MERGE_REQUEST = `${PROJECT}/merge_requests/{merge_request_iid}`;

const NEW_MERGE_REQUEST = new Set([
  ...['source_branch', 'target_branch', 'title', 'description', 'remove_source_branch', 'squash'],
]);
const COMMENT = new Set(['body', 'position']);
const LABELS = new Set(['add_labels']);

/** Adds what a write of GitLab's REST API does to its project: which branches change, or that it is collaboration. */
export function withRepository(finding: Finding, view: RequestView, row: OperationRow): Finding {
  if (row.effect === 'read') return finding;
  const repository = projectOf(view);
  if (row.type.startsWith('vcs:')) return withContent(finding, view, row, repository);
  const repo = repository === undefined ? undefined : collaborationOf(view, row, repository);
  return repo === undefined ? finding : { ...finding, repo };
}

/** `gitlab.com/acme/app` of `/projects/acme%2Fapp`; of a number nobody here knows what it is. */
function projectOf({ host, segments }: RequestView): string | undefined {
  const name = (segments[3] ?? '').replaceAll(/%2f/gi, '/').toLowerCase();
  return segments[2] === 'projects' && /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)+$/.test(name)
    ? `${host}/${name}`
    : undefined;
}

function withContent(
  finding: Finding,
  view: RequestView,
  row: OperationRow,
  repository: string | undefined,
): Finding {
  const refs = refsOf(view, row);
  const named = repository === undefined ? {} : { repository };
  const repo: RepositoryFact = { ...named, area: 'contents', refs };
  return changesCi(view, row)
    ? { ...finding, risk: 'critical', repo: { ...repo, pipeline: true } }
    : { ...finding, repo };
}

function refsOf(view: RequestView, { method, path }: OperationRow): readonly RefChange[] {
  const below = path.slice(`${PROJECT}/repository`.length);
  // SECURITY: GitLab takes parameters from the query as well; with both, nobody but GitLab knows which one counts.
  const body = view.target.query === '' ? view.wholeJson() : undefined;
  const branch = branchRef(stringMember(body, 'branch'));
  const named = (change: RefChange['change']): RefChange =>
    branch === '*' ? ANY_REF : { ref: branch, change };
  const tag = stringMember(body, 'tag_name');
  const tagged: RefChange = tag === undefined ? ANY_REF : { ref: `refs/tags/${tag}`, change: 'create' };
  if (path === `${PROJECT}/releases`) return [tagged];
  switch (`${method} ${below}`) {
    case 'POST /commits':
      // `start_branch` and `start_sha` make the branch anew, `force` over what is there.
      return [body?.force === undefined || body.force === false ? named('update') : named('force')];
    case 'POST /files/{file_path}':
    case 'PUT /files/{file_path}':
    case 'DELETE /files/{file_path}':
      return [named('update')];
    case 'POST /commits/{sha}/cherry_pick':
    case 'POST /commits/{sha}/revert':
    case 'PUT /submodules/{submodule}':
    case 'POST /changelog':
      return [named('update')];
    case 'POST /branches':
      return [named('create')];
    case 'DELETE /branches/{branch}':
      return [{ ref: branchRef(view.segments[6]?.replaceAll('%2F', '/')), change: 'delete' }];
    case 'DELETE /merged_branches':
    case 'DELETE /tags/{tag_name}':
      return [{ ref: '*', change: 'delete' }];
    case 'POST /tags':
      return [tagged];
    // Which branch moves is a fact of the merge request.
    // open: any other write to the repository
    default:
      return [ANY_REF];
  }
}

/** SECURITY: whether a commit changes what pipelines run, or may do so where its files cannot be read [GA-15]. */
function changesCi(view: RequestView, { path }: OperationRow): boolean {
  const { segments } = view;
  if (path.endsWith('/files/{file_path}') && isCiFile(segments[6]?.replaceAll('%2F', '/'))) return true;
  const body = view.wholeJson();
  // What is built on may be a commit of a fork, with a pipeline of its own.
  const starts = [body?.start_branch, body?.start_sha, body?.start_project];
  if (starts.some((start) => start !== undefined)) return true;
  if (path.endsWith('/files/{file_path}')) return false;
  if (!path.endsWith('/repository/commits')) {
    // A branch can be made of any commit that GitLab has, and a pick brings all of one.
    const from = stringMember(body, 'ref');
    const isCommit = from === undefined || /^[0-9a-f]{7,64}$/i.test(from);
    return path.endsWith('/cherry_pick') || (path.endsWith('/branches') && isCommit);
  }
  const actions: unknown = body?.actions;
  if (!Array.isArray(actions)) return true;
  return actions.some(
    (action: unknown) =>
      !isMembers(action) ||
      isCiFile(stringMember(action, 'file_path')) ||
      (action.previous_path !== undefined && isCiFile(stringMember(action, 'previous_path'))),
  );
}

/** Opening a merge request, a note that is plain talk, labels that only describe. */
function collaborationOf(
  view: RequestView,
  { method, path }: OperationRow,
  repository: string,
): RepositoryFact | undefined {
  const body = view.target.query === '' ? view.wholeJson() : undefined;
  if (body === undefined) return undefined;
  const collaboration: RepositoryFact = { repository, area: 'collaboration', refs: [] };
  switch (`${method} ${path}`) {
    case `POST ${PROJECT}/merge_requests`: {
      const head = branchRef(stringMember(body, 'source_branch'));
      const isPlain = isPlainTalk(body.title) && isPlainTalk(body.description ?? '');
      return isPlain && head !== '*' && hasOnly(body, NEW_MERGE_REQUEST)
        ? { ...collaboration, head }
        : undefined;
    }
    case `POST ${ISSUE}/notes`:
    case `POST ${ISSUE}/discussions`:
    case `POST ${ISSUE}/discussions/{discussion_id}/notes`:
    case `POST ${MERGE_REQUEST}/notes`:
    case `POST ${MERGE_REQUEST}/discussions`:
    case `POST ${MERGE_REQUEST}/discussions/{discussion_id}/notes`:
      return isPlainTalk(body.body) && hasOnly(body, COMMENT) ? collaboration : undefined;
    case `PUT ${ISSUE}`:
    case `PUT ${MERGE_REQUEST}`:
      return hasOnly(body, LABELS) && onlyDescribe(labelsOf(body.add_labels)) ? collaboration : undefined;
    // open: any other write
    default:
      return undefined;
  }
}

function hasOnly(body: JsonMembers, names: ReadonlySet<string>): boolean {
  return Object.keys(body).every((name) => names.has(name));
}

/** A text with commas, or a list. */
function labelsOf(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
}
