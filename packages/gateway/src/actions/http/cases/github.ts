import { friendly, type HttpCase, hostile } from './case.ts';

const API = 'https://api.github.com';
const APP = `${API}/repos/acme/app`;
const READ = 'read custom:http low';
const UNKNOWN = 'write custom:http critical';
const json = (value: unknown): { readonly body: string } => ({ body: JSON.stringify(value) });

export const GITHUB_CASES: readonly HttpCase[] = [
  friendly('a comment', `POST ${APP}/issues/1/comments`, 'write custom:http high', {
    ...json({ body: 'a' }),
    operation: 'issues/create-comment',
    object: 'github.com/acme/app',
    repo: 'github.com/acme/app collaboration',
  }),
  friendly('a branch with a slash, as clients write it', `GET ${APP}/branches/ana%2Fx`, 'read vcs:read low', {
    operation: 'repos/get-branch',
    object: 'github.com/acme/app',
  }),
  friendly('a branch with a slash, plain', `GET ${APP}/git/ref/heads/ana/x`, 'read vcs:read low', {
    operation: 'git/get-ref',
  }),
  friendly('a HEAD is its GET', `HEAD ${APP}/issues`, READ, { operation: 'issues/list-for-repo' }),
  friendly('a trailing slash', `GET ${APP}/issues/`, READ, { operation: 'issues/list-for-repo' }),
  hostile('the repository is deleted', `DELETE ${APP}`, UNKNOWN, {
    operation: 'repos/delete',
    object: 'github.com/acme/app',
  }),
  hostile('the repository becomes public', `PATCH ${APP}`, UNKNOWN, { operation: 'repos/update' }),
  hostile('a deploy key', `POST ${APP}/keys`, UNKNOWN, { operation: 'repos/create-deploy-key' }),
  hostile('a collaborator', `PUT ${APP}/collaborators/eve`, UNKNOWN, { operation: 'repos/add-collaborator' }),
  hostile('a webhook', `POST ${APP}/hooks`, UNKNOWN, { operation: 'repos/create-webhook' }),
  hostile('main is unprotected', `DELETE ${APP}/branches/main/protection`, UNKNOWN, {
    operation: 'repos/delete-branch-protection',
  }),
  hostile('a branch with a slash is unprotected', `DELETE ${APP}/branches/release/1/protection`, UNKNOWN, {
    operation: 'repos/delete-branch-protection',
  }),
  hostile(
    'a slash that makes another operation once it is decoded',
    `DELETE ${APP}/branches/main%2Fprotection`,
    UNKNOWN,
    { operation: 'unknown: DELETE /repos/acme/app/branches/main%2Fprotection' },
  ),
  hostile('a repository by an encoded slash', `DELETE ${API}/repos/acme%2Fapp`, UNKNOWN, {
    operation: 'unknown: DELETE /repos/acme%2Fapp',
  }),
  hostile('a percent sign that is encoded twice', `GET ${APP}/contents/a%252Fb`, UNKNOWN),
  hostile('a literal in capitals is no runner', `GET ${APP}/actions/runners/DOWNLOADS`, UNKNOWN),
  hostile('an area in capitals', `POST ${APP}/ISSUES/1/comments`, UNKNOWN),
  hostile('dot segments', `GET ${API}/repos/acme/x/../app/issues`, UNKNOWN),
  hostile('double slashes', `GET ${API}/repos//acme/app`, UNKNOWN),
  hostile('a path that is published for another method', `DELETE ${APP}/issues`, UNKNOWN, {
    operation: 'unknown: DELETE /repos/acme/app/issues',
    object: 'github.com/acme/app',
  }),
  hostile('a path that nobody publishes', `POST ${APP}/frobnications/42`, UNKNOWN, {
    operation: 'unknown: POST /repos/acme/app/frobnications/{}',
    object: 'github.com/acme/app',
  }),
  hostile('a read that nobody publishes', `GET ${APP}/issues/1/frobnications`, UNKNOWN),
  hostile('a preflight of what has no GET', `OPTIONS ${APP}/transfer`, UNKNOWN),
  hostile('an override in the query', `POST ${APP}/issues/1/comments?_method=DELETE`, UNKNOWN, {
    operation: 'unknown: a method override',
  }),
  ...[
    '.github/workflows/ci.yml',
    '.github%2Fworkflows%2Fci.yml',
    '.gitlab-ci.yml',
    'ci/Jenkinsfile',
    '.github/CODEOWNERS',
  ].map((path) =>
    hostile(`${path} says what runs`, `PUT ${APP}/contents/${path}`, 'write vcs:push critical', {
      ...json({ branch: 'ana/x', content: '' }),
      operation: 'repos/create-or-update-file-contents',
      repo: 'github.com/acme/app contents refs/heads/ana/x:update pipeline',
    }),
  ),
  friendly(
    'a file that only sounds like one',
    `PUT ${APP}/contents/docs/.github/a.md`,
    'write vcs:push high',
    {
      ...json({ branch: 'ana/x', content: '' }),
      repo: 'github.com/acme/app contents refs/heads/ana/x:update',
    },
  ),
  friendly('a repository', `GET ${APP}`, READ),
  friendly('issues', `GET ${APP}/issues?state=open`, READ),
  friendly('the root lists what there is', `GET ${API}/`, READ),
  friendly('file contents', `GET ${APP}/contents/src/a.ts?ref=main`, 'read vcs:read low'),
  friendly('an archive redirects', `GET ${APP}/tarball/main`, 'read vcs:read low'),
  friendly('search', `GET ${API}/search/code?q=x`, READ),
  friendly('the key that secrets are sealed with is public', `GET ${APP}/actions/secrets/public-key`, READ),
  friendly('the next page of a list', `GET ${API}/repositories/1/issues?page=2`, READ),
  friendly('the next page of repositories', `GET ${API}/user/1/repos?page=2`, READ),
  friendly('rendering markdown stores nothing', `POST ${API}/markdown`, READ, json({ text: '# a' })),
  friendly(
    'release notes are only drafted',
    `POST ${APP}/releases/generate-notes`,
    READ,
    json({ tag_name: 'v1' }),
  ),
  friendly('an issue', `POST ${APP}/issues`, 'write custom:http high', json({ title: 'a' })),
  friendly('raw files', 'GET https://raw.githubusercontent.com/acme/app/main/README.md', READ),
  friendly('archives', 'GET https://codeload.github.com/acme/app/tar.gz/main', READ),
  friendly('a file on a named branch', `PUT ${APP}/contents/a.txt`, 'write vcs:push high', {
    ...json({ branch: 'ana/x', message: 'm', content: 'YQ==' }),
    operation: 'repos/create-or-update-file-contents',
    repo: 'github.com/acme/app contents refs/heads/ana/x:update',
  }),
  friendly('a new branch', `POST ${APP}/git/refs`, 'write vcs:branch critical', {
    ...json({ ref: 'refs/heads/ana/x', sha: 'a'.repeat(40) }),
    repo: 'github.com/acme/app contents refs/heads/ana/x:create pipeline',
  }),
  friendly('a branch moves forward', `PATCH ${APP}/git/refs/heads/ana/x`, 'write vcs:push critical', {
    ...json({ sha: 'a'.repeat(40) }),
    repo: 'github.com/acme/app contents refs/heads/ana/x:update pipeline',
  }),
  friendly(
    'a workflow on a branch',
    `POST ${APP}/actions/workflows/ci.yml/dispatches`,
    'write custom:http critical',
    {
      ...json({ ref: 'ana/x' }),
      repo: 'github.com/acme/app actions refs/heads/ana/x:update',
    },
  ),
  friendly(
    'an enterprise host has its API below a prefix',
    'GET https://ghe.corp.example/api/v3/repos/a/b/issues',
    READ,
  ),
  friendly(
    'a release asset',
    'POST https://uploads.github.com/repos/acme/app/releases/1/assets?name=a',
    'write custom:http high',
    {
      cut: true,
    },
  ),
  hostile(
    'upper case is the same repository',
    'PUT https://api.github.com/repos/Acme/App/contents/a',
    'write vcs:push high',
    {
      ...json({ branch: 'x' }),
      repo: 'github.com/acme/app contents refs/heads/x:update',
    },
  ),
  hostile(
    'without a branch it is the default one, whichever that is',
    `PUT ${APP}/contents/a`,
    'write vcs:push high',
    {
      ...json({ message: 'm', content: '' }),
      repo: 'github.com/acme/app contents *:unknown',
    },
  ),
  hostile(
    'an override makes something else of a write to an own branch',
    `PUT ${APP}/contents/a`,
    'write vcs:push critical',
    {
      ...json({ branch: 'ana/x' }),
      headers: [['X-HTTP-Method-Override', 'DELETE']],
      operation: 'unknown: a method override',
      repo: 'github.com/acme/app contents refs/heads/ana/x:update *:unknown',
    },
  ),
  hostile('another spelling of main', `PUT ${APP}/contents/a`, 'write vcs:push high', {
    ...json({ branch: 'heads/main' }),
    repo: 'github.com/acme/app contents *:unknown',
  }),
  hostile('an expression', `PUT ${APP}/contents/a`, 'write vcs:push high', {
    ...json({ branch: 'ana/x@{-1}' }),
    repo: 'github.com/acme/app contents *:unknown',
  }),
  hostile('a body that is called a form', `PUT ${APP}/contents/a`, 'write vcs:push high', {
    ...json({ branch: 'ana/x' }),
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    repo: 'github.com/acme/app contents *:unknown',
  }),
  hostile(
    'a deletion with a branch in the query and a body that nobody can read',
    `DELETE ${APP}/contents/a?branch=ana/x`,
    'write vcs:push high',
    {
      body: 'branch=main',
      repo: 'github.com/acme/app contents *:unknown',
    },
  ),
  hostile('two branches in one body', `PUT ${APP}/contents/a`, 'write vcs:push high', {
    body: '{"branch":"ana/x","branch":"main"}',
    repo: 'github.com/acme/app contents *:unknown',
  }),
  hostile('the second one spelled with an escape', `PUT ${APP}/contents/a`, 'write vcs:push high', {
    body: '{"branch":"ana/x","br\\u0061nch":"main"}',
    repo: 'github.com/acme/app contents *:unknown',
  }),
  hostile(
    'a body that goes on may name another branch later',
    `PUT ${APP}/contents/a`,
    'write vcs:push high',
    {
      body: '{"branch":"ana/x","content":"',
      cut: true,
      repo: 'github.com/acme/app contents *:unknown',
    },
  ),
  hostile('a compressed body says nothing', `PUT ${APP}/contents/a`, 'write vcs:push high', {
    ...json({ branch: 'ana/x' }),
    headers: [['Content-Encoding', 'gzip']],
    repo: 'github.com/acme/app contents *:unknown',
  }),
  hostile('a branch that is no string', `PUT ${APP}/contents/a`, 'write vcs:push high', {
    ...json({ branch: ['main'] }),
    repo: 'github.com/acme/app contents *:unknown',
  }),
  hostile(
    'a deletion with its branch in body and query',
    `DELETE ${APP}/contents/a?branch=ana/x`,
    'write vcs:push high',
    {
      ...json({ branch: 'main' }),
      repo: 'github.com/acme/app contents *:unknown',
    },
  ),
  hostile('a forced update', `PATCH ${APP}/git/refs/heads/ana/x`, 'write vcs:push critical', {
    ...json({ sha: 'a', force: true }),
    repo: 'github.com/acme/app contents refs/heads/ana/x:force pipeline',
  }),
  hostile('anything but false may be true', `PATCH ${APP}/git/refs/heads/ana/x`, 'write vcs:push critical', {
    ...json({ sha: 'a', force: 'true' }),
    repo: 'github.com/acme/app contents refs/heads/ana/x:force pipeline',
  }),
  hostile(
    'force may stand behind the prefix',
    `PATCH ${APP}/git/refs/heads/ana/x`,
    'write vcs:push critical',
    {
      body: '{"sha":"a"',
      cut: true,
      repo: 'github.com/acme/app contents refs/heads/ana/x:unknown pipeline',
    },
  ),
  hostile('deleting a branch', `DELETE ${APP}/git/refs/heads/main`, 'write vcs:branch high', {
    repo: 'github.com/acme/app contents refs/heads/main:delete',
  }),
  hostile(
    'an encoded letter of a branch is that letter',
    `DELETE ${APP}/git/refs/heads/m%61in`,
    'write vcs:branch high',
    {
      repo: 'github.com/acme/app contents refs/heads/main:delete',
    },
  ),
  hostile('renaming deletes the old name', `POST ${APP}/branches/main/rename`, 'write vcs:branch high', {
    ...json({ new_name: 'ana/x' }),
    repo: 'github.com/acme/app contents refs/heads/main:delete refs/heads/ana/x:create',
  }),
  hostile(
    'merging a pull request moves a branch that the call does not name',
    `PUT ${APP}/pulls/1/merge`,
    'write vcs:push high',
    {
      repo: 'github.com/acme/app contents *:unknown',
    },
  ),
  hostile(
    'force in the query counts, whatever the body says',
    `PATCH ${APP}/git/refs/heads/ana/x?force=true`,
    'write vcs:push critical',
    { ...json({ sha: 'a' }), repo: 'github.com/acme/app contents refs/heads/ana/x:unknown pipeline' },
  ),
  hostile('a branch in the query', `PUT ${APP}/contents/a?branch=main`, 'write vcs:push high', {
    ...json({ branch: 'ana/x', content: '' }),
    repo: 'github.com/acme/app contents *:unknown',
  }),
  hostile('a ref in the query', `POST ${APP}/git/refs?ref=refs%2Fheads%2Fmain`, 'write vcs:branch critical', {
    ...json({ ref: 'refs/heads/ana/x', sha: 'a' }),
    repo: 'github.com/acme/app contents *:unknown pipeline',
  }),
  hostile('a merge into main', `POST ${APP}/merges`, 'write vcs:push critical', {
    ...json({ base: 'main', head: 'ana/x' }),
    repo: 'github.com/acme/app contents refs/heads/main:update pipeline',
  }),
  hostile('a dispatch without a branch', `POST ${APP}/dispatches`, 'write custom:http critical', {
    ...json({ event_type: 'x' }),
    repo: 'github.com/acme/app actions *:unknown',
  }),
  hostile(
    'a workflow whose branch is not all here',
    `POST ${APP}/actions/workflows/1/dispatches`,
    'write custom:http critical',
    {
      body: '{"ref":"ana/x"',
      cut: true,
      repo: 'github.com/acme/app actions *:unknown',
    },
  ),
  hostile(
    'a re-run is of a run that the call does not describe',
    `POST ${APP}/actions/runs/1/rerun`,
    'write custom:http critical',
    {
      repo: 'github.com/acme/app actions *:unknown',
    },
  ),
  hostile(
    'a deployment goes to production unless it says otherwise',
    `POST ${APP}/deployments`,
    'write deploy:production critical',
    json({ ref: 'x' }),
  ),
  hostile('deleting a repository', `DELETE ${APP}`, UNKNOWN),
  hostile('branch protection', `DELETE ${APP}/branches/main/protection`, UNKNOWN),
  hostile('a new collaborator', `PUT ${APP}/collaborators/eve`, UNKNOWN),
  hostile('a deploy key', `POST ${APP}/keys`, UNKNOWN, json({ key: 'x' })),
  hostile('a webhook leaks everything from then on', `POST ${APP}/hooks`, UNKNOWN, json({})),
  hostile('an installation token', `POST ${API}/app/installations/1/access_tokens`, UNKNOWN),
  hostile('a runner token', `POST ${APP}/actions/runners/registration-token`, UNKNOWN),
  hostile('found secrets are answered in the clear', `GET ${APP}/secret-scanning/alerts`, UNKNOWN),
  hostile('also for the organisation, in any case', `GET ${API}/orgs/acme/Secret-Scanning/alerts`, UNKNOWN),
  hostile(
    'also by the number of the repository',
    `GET ${API}/repositories/1/secret-scanning/alerts`,
    UNKNOWN,
  ),
  hostile('and of the organisation', `GET ${API}/organizations/1/secret-scanning/alerts`, UNKNOWN),
  hostile(
    'a repository by something that is no number',
    `GET ${API}/repositories/x/secret-scanning/alerts`,
    UNKNOWN,
  ),
  hostile(
    'a write by number is to a repository that nobody can name',
    `PUT ${API}/repositories/1/contents/a`,
    'write vcs:push critical',
    {
      ...json({ branch: 'ana/x' }),
      repo: '- contents *:unknown',
    },
  ),
  hostile('an endpoint that is not published', `GET ${API}/copilot_internal/v2/token`, UNKNOWN),
  hostile('an area that is not published', `GET ${APP}/wormhole`, UNKNOWN),
  hostile('a path that climbs out of its area', `GET ${APP}/issues/../../../app-manifests/x`, UNKNOWN),
  hostile('an encoded climb', `GET ${APP}/issues/%2e%2e/secret-scanning/alerts`, UNKNOWN),
  hostile('an encoded slash', `GET ${APP}/issues%2f..%2fsecret-scanning`, UNKNOWN),
  hostile('a doubly encoded slash', `GET ${APP}/issues%252fx`, UNKNOWN),
  hostile('an empty segment', `GET ${API}//repos/acme/app`, UNKNOWN),
  hostile('markdown with a method override', `POST ${API}/markdown`, UNKNOWN, {
    headers: [['X-HTTP-Method-Override', 'DELETE']],
  }),
  hostile('markdown as PUT is not published', `PUT ${API}/markdown`, UNKNOWN),
  hostile(
    'an OAuth exchange answers with a token',
    'POST https://github.com/login/oauth/access_token',
    UNKNOWN,
  ),
  hostile('an enterprise path outside its API', 'GET https://ghe.corp.example/api/internal/x', UNKNOWN),
  hostile(
    'a host that only ends alike',
    'POST https://api.github.com.evil.example/markdown',
    'write custom:http high',
    json({}),
  ),
  hostile(
    'a host that only begins alike',
    'POST https://xapi.github.com/markdown',
    'write custom:http high',
    json({}),
  ),
];
