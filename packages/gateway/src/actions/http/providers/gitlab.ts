import type { RefChange } from '@sallyport/protocol';
import { type Finding, secret, unlisted } from '../finding.ts';
import { classifyGit, DOT_GIT } from '../git/smart-http.ts';
import {
  compileOperations,
  foundAs,
  type OperationRow,
  once,
  readNames,
  readRows,
} from '../operation-table.ts';
import { GITLAB_OPERATIONS } from '../operations/gitlab.ts';
import { GITLAB_MUTATIONS } from '../operations/gitlab-mutations.ts';
import { GITLAB_PROJECT_OPERATIONS } from '../operations/gitlab-project.ts';
import type { RequestView } from '../request-view.ts';
import { withRepository } from './gitlab-repository.ts';
import { classifyGraphql, idsOf } from './graphql.ts';

const PREFIX = '/api/v4';
const ANY_REF: RefChange = { ref: '*', change: 'unknown' };

export const gitlabOperations = once((): readonly OperationRow[] =>
  [GITLAB_OPERATIONS, GITLAB_PROJECT_OPERATIONS].flatMap((text) =>
    readRows(text, (method, path) => `${method} ${path.slice(PREFIX.length)}`),
  ),
);

const operationOf = compileOperations(gitlabOperations);

export const gitlabMutations = once(() => readNames(GITLAB_MUTATIONS));

/** GitLab: git over HTTP; REST and GraphQL by its published operations. */
export function classifyGitlab(view: RequestView): Finding | undefined {
  const { host, segments } = view;
  if (segments[0] === 'oauth') return secret('oauth');
  if (segments[0] !== 'api') return classifyGit(view, DOT_GIT);
  if (segments[1] === 'graphql') {
    const mutations = gitlabMutations;
    const finding = classifyGraphql(view, {
      mutations,
      objectOf: (operation) => [host, ...idsOf(operation)].join(' '),
    });
    // SECURITY: which branch moves is not looked for, so it may be any.
    const isMove = finding.effect === 'write' && finding.type.startsWith('vcs:');
    return isMove ? { ...finding, repo: { area: 'contents', refs: [ANY_REF] } } : finding;
  }
  const object = objectOf(view);
  const row = operationOf(view.method, segments);
  if (row === undefined) return unlisted(view, 'custom:http', { object });
  return withRepository(foundAs(row, object), view, row);
}

/** The project or group that the path names, else whatever the credential gives. */
function objectOf({ host, segments }: RequestView): string {
  const [, , area, name] = segments;
  if (name === undefined || name === '') return host;
  const plain = name.replaceAll('%2F', '/').toLowerCase();
  if (area === 'projects') return `${host}/${plain}`;
  return area === 'groups' || area === 'users' ? `${host}/${area}/${plain}` : host;
}
