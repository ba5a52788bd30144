import type { RepositoryFact } from '@sallyport/protocol';
import { type Finding, read, secret, unknown, write } from '../finding.ts';
import { classifyGit, type GitLayout, OWNER_AND_NAME, repositoryName } from '../git/smart-http.ts';
import { compilePathTable } from '../path-table.ts';
import type { RequestView } from '../request-view.ts';
import { classifyContentWrite } from './github-content.ts';
import { classifyGithubGraphql } from './github-graphql.ts';
import { GITHUB_ADMIN, GITHUB_AREAS, GITHUB_POST_READS, GITHUB_SECRETS } from './github-operations.ts';

const areas = compilePathTable(GITHUB_AREAS);
const postReads = compilePathTable(GITHUB_POST_READS);
const secrets = compilePathTable(GITHUB_SECRETS);
const admin = compilePathTable(GITHUB_ADMIN);

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
  if (host === 'gist.github.com') return classifyGit(view, GIST) ?? classifyPage(view);
  if (segments[0] === 'api' && host !== 'github.com') {
    if (segments[1] === 'graphql') return classifyApi(view, segments.slice(1), host);
    if (segments[1] === 'v3' || segments[1] === 'uploads') return classifyApi(view, segments.slice(2), host);
    return unknown('GitHub operation');
  }
  return classifyGit(view, OWNER_AND_NAME) ?? classifyPage(view);
}

function classifyPage(view: RequestView): Finding | undefined {
  // OAuth and device flows answer with tokens.
  if (view.segments[0] === 'login') return secret('login');
  return view.isSafe ? read('web page') : undefined;
}

function classifyApi(view: RequestView, given: readonly string[], repoHost: string): Finding {
  const { method } = view;
  const segments = withoutIds(given);
  if (segments[0] === 'graphql' && segments.length === 1) return classifyGithubGraphql(view, repoHost);
  // SECURITY: in whatever case: a router that does not mind case must not turn a secret into a plain read.
  const secretArea = secrets(segments.map((segment) => segment.toLowerCase()));
  if (secretArea !== undefined) return secret(`${method} ${secretArea}`);
  const area = areas(segments);
  if (area === undefined) return unknown('GitHub operation');
  if (view.isSafe) return read(`${method} ${area}`, isContent(segments) ? 'vcs:read' : 'custom:http');
  if (method === 'POST') {
    const postRead = postReads(segments);
    if (postRead !== undefined) return read(`POST ${postRead}`);
  }
  // Which repository that is, nobody here knows.
  if (segments[1] === BY_ID) return unknown('write by number', 'vcs:push', { repo: UNKNOWN_REPO });
  const content = segments[0] === 'repos' ? classifyContentWrite(view, segments, repoHost) : undefined;
  if (content !== undefined) return content;
  const adminArea = admin(segments);
  if (adminArea !== undefined) return write(`${method} ${adminArea}`, 'custom:http', { risk: 'critical' });
  return write(`${method} ${area}`);
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

const CONTENT_AREAS = new Set([
  'contents',
  'git',
  'commits',
  'branches',
  'compare',
  'tarball',
  'zipball',
  'tags',
  'readme',
]);

function isContent(segments: readonly string[]): boolean {
  return segments[0] === 'repos' && CONTENT_AREAS.has(segments[3] ?? '');
}
