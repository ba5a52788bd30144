import type { RepositoryFact } from '@sallyport/protocol';
import { type Finding, read, secret, unknown, unlisted } from '../finding.ts';
import { classifyGit, type GitLayout, OWNER_AND_NAME, repositoryName } from '../git/smart-http.ts';
import { compileOperations, foundAs, type OperationRow, once, readRows } from '../operation-table.ts';
import { GITHUB_ACCOUNT } from '../operations/github-account.ts';
import { GITHUB_ORGANIZATION } from '../operations/github-organization.ts';
import { GITHUB_ORGANIZATION_AUTOMATION } from '../operations/github-organization-automation.ts';
import { GITHUB_SETTINGS } from '../operations/github-settings.ts';
import { GITHUB_WORK } from '../operations/github-work.ts';
import { type RequestView, splitPath } from '../request-view.ts';
import { withCollaboration } from './github-collaboration.ts';
import { withContent } from './github-content.ts';
import { classifyGithubGraphql } from './github-graphql.ts';
import { withBody } from './github-reviews.ts';

/** Everything that GitHub publishes. */
export const githubOperations = once((): readonly OperationRow[] =>
  [GITHUB_SETTINGS, GITHUB_WORK, GITHUB_ORGANIZATION, GITHUB_ORGANIZATION_AUTOMATION, GITHUB_ACCOUNT].flatMap(
    (text) => readRows(text),
  ),
);

const operationOf = compileOperations(githubOperations);

const UNKNOWN_REPO: RepositoryFact = { area: 'contents', refs: [{ ref: '*', change: 'unknown' }] };

const GIST: GitLayout = {
  repositoryOf: (host, segments) =>
    segments.length === 1 || segments.length === 2 ? repositoryName(host, segments) : undefined,
};

/**
 * GitHub: REST and GraphQL by its published operations, git and large files over HTTP, downloads and uploads.
 * Hosts of GitHub Enterprise have the API below `/api/v3` and `/api/graphql`, git beside it.
 */
export function classifyGithub(view: RequestView): Finding | undefined {
  const { host, segments } = view;
  if (host === 'api.github.com') return classifyApi(view, segments, 'github.com');
  if (host === 'uploads.github.com') return classifyApi(view, segments, 'github.com');
  if (host.startsWith('api.') && host.endsWith('.ghe.com')) return classifyApi(view, segments, host.slice(4));
  // SECURITY: git and pages read paths in their own way.
  if (view.target.veiled && segments[0] !== 'api') return unknown('ambiguous path');
  if (host === 'gist.github.com') return classifyGit(view, GIST) ?? classifyPage(view);
  if (segments[0] === 'api' && host !== 'github.com') {
    if (segments[1] === 'graphql') return classifyApi(view, segments.slice(1), host);
    if (segments[1] === 'v3' || segments[1] === 'uploads') return classifyApi(view, segments.slice(2), host);
    return unlisted(view);
  }
  return classifyGit(view, OWNER_AND_NAME) ?? classifyPage(view);
}

function classifyPage(view: RequestView): Finding | undefined {
  // OAuth and device flows answer with tokens.
  if (view.segments[0] === 'login') return secret('login');
  return view.isSafe ? read('web page') : undefined;
}

function classifyApi(view: RequestView, given: readonly string[], repoHost: string): Finding {
  if (given[0] === 'graphql' && given.length === 1) return classifyGithubGraphql(view, repoHost);
  const found = findOperation(view, given);
  const object = objectOf(found?.segments ?? withoutIds(given), repoHost);
  if (found === undefined) return unlisted(view, 'custom:http', { object });
  const { row, segments } = found;
  if (row.effect === 'read') return foundAs(row, object);
  // Which repository that is, nobody here knows.
  if (segments[1] === BY_ID && row.method !== 'GET')
    return unknown(`${row.name} by number`, 'vcs:push', { object, repo: UNKNOWN_REPO });
  const finding = withBody(foundAs(row, object), view);
  if (segments[0] !== 'repos') return finding;
  return withCollaboration(withContent(finding, view, segments, repoHost), view, segments);
}

interface Found {
  readonly row: OperationRow;
  /** as the table writes the path */
  readonly segments: readonly string[];
}

function findOperation(view: RequestView, given: readonly string[]): Found | undefined {
  if (view.target.veiled) return findVeiled(view, given);
  const row = operationOf(view.method, given);
  if (row !== undefined) return { row, segments: given };
  const segments = withoutIds(given);
  const other = segments === given ? undefined : operationOf(view.method, segments);
  return other === undefined ? undefined : { row: other, segments };
}

/**
 * Clients write a branch `a/b` as `a%2Fb`.
 *
 * SECURITY: known only where it is the same operation whether the server decodes before it looks for one or after.
 */
function findVeiled({ method, path }: RequestView, given: readonly string[]): Found | undefined {
  if (/%(?:25|5C)/.test(path)) return undefined;
  const segments = splitPath(`/${given.join('/')}`.replaceAll('%2F', '/'));
  const row = operationOf(method, segments);
  return row === undefined || row !== operationOf(method, given) ? undefined : { row, segments };
}

/**
 * GitHub's page links name repositories, organisations and users by number: `/repositories/1/issues?page=2`.
 *
 * SECURITY: they are judged by the tables of the paths that they stand for.
 */
function withoutIds(segments: readonly string[]): readonly string[] {
  if (!/^\d+$/.test(segments[1] ?? '')) return segments;
  const [first, id = '', ...rest] = segments;
  if (first === 'repositories') return ['repos', BY_ID, id, ...rest];
  if (first === 'organizations') return ['orgs', id, ...rest];
  return first === 'user' ? ['users', id, ...rest] : segments;
}

// No owner is called like this.
const BY_ID = ':id';

/** The repository, organisation or user; else the host, which is whatever the credential gives. */
function objectOf([area, first, second]: readonly string[], repoHost: string): string {
  if (first === undefined || first === '') return repoHost;
  switch (area) {
    case 'repos':
      return second === undefined ? repoHost : repositoryName(repoHost, [first, second]);
    case 'orgs':
    case 'users':
      return `${repoHost}/${first}`.toLowerCase();
    case 'enterprises':
    case 'gists':
    case 'teams':
    case 'organizations':
    case 'notifications':
      return `${repoHost}/${area}/${first}`.toLowerCase();
    // open: any path
    default:
      return repoHost;
  }
}
