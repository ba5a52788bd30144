import { friendly, type HttpCase, hostile } from './case.ts';
import { commands, commit, pack, packet, pushBody, ZERO } from './pack.ts';

const APP = 'https://github.com/acme/app.git';
const PUSH = `POST ${APP}/git-receive-pack`;
const REPO = 'github.com/acme/app contents';
const READ = 'read vcs:read low';
const HIGH = 'write vcs:push high';

const base = commit([], 'base');
const middle = commit([base.id], 'middle');
const tip = commit([middle.id], 'tip');
const other = commit([], 'other');
const merge = commit([other.id, middle.id], 'merge');
const liar = commit([], `parent ${base.id}`);
const BRANCH = 'refs/heads/ana/x';
const OPTIONS = 'report-status push-options';

const push = (from: string, to: string, file?: Uint8Array, ref = BRANCH): { readonly body: Uint8Array } => ({
  body: pushBody(commands([[from, to, ref]]), file),
});

export const GIT_CASES: readonly HttpCase[] = [
  friendly('the refs for a fetch', `GET ${APP}/info/refs?service=git-upload-pack`, READ),
  friendly('the refs for a push', `GET ${APP}/info/refs?service=git-receive-pack`, READ),
  friendly('the refs for an old client', `GET ${APP}/info/refs`, READ),
  friendly('a fetch', `POST ${APP}/git-upload-pack`, READ, { body: '0032want', cut: true }),
  friendly('a compressed fetch', `POST ${APP}/git-upload-pack`, READ, {
    body: 'x',
    headers: [['Content-Encoding', 'gzip']],
  }),
  friendly('a probe before a large push', PUSH, READ, { body: '0000' }),
  friendly('a new branch', PUSH, 'write vcs:push high', {
    ...push(ZERO, tip.id),
    repo: `${REPO} ${BRANCH}:create`,
  }),
  friendly('commits on top of the branch', PUSH, 'write vcs:push high', {
    ...push(base.id, tip.id, pack([tip, middle])),
    repo: `${REPO} ${BRANCH}:update`,
  }),
  friendly('a merge on top of the branch', PUSH, 'write vcs:push high', {
    ...push(middle.id, merge.id, pack([merge])),
    repo: `${REPO} ${BRANCH}:update`,
  }),
  friendly('large files to read', `POST ${APP}/info/lfs/objects/batch`, READ, {
    body: '{"operation":"download"}',
  }),
  friendly('large files to write', `POST ${APP}/info/lfs/objects/batch`, 'write vcs:push high', {
    body: '{"operation":"upload"}',
    repo: 'github.com/acme/app other',
  }),
  friendly('nested groups of GitLab', 'POST https://gitlab.com/a/b/c.git/git-upload-pack', READ, {
    body: '0000',
  }),
  friendly('a push to Bitbucket', 'POST https://bitbucket.org/a/b/git-receive-pack', 'write vcs:push high', {
    ...push(ZERO, tip.id),
    repo: `bitbucket.org/a/b contents ${BRANCH}:create`,
  }),
  friendly('a server that the config calls git', 'POST https://git.corp.example/x.git/git-upload-pack', READ),
  hostile('another history', PUSH, HIGH, {
    ...push(base.id, other.id, pack([other])),
    repo: `${REPO} ${BRANCH}:unknown`,
  }),
  hostile('commits that the server has already prove nothing', PUSH, HIGH, {
    ...push(base.id, tip.id, pack([])),
    repo: `${REPO} ${BRANCH}:unknown`,
  }),
  hostile('a link of the chain is missing', PUSH, HIGH, {
    ...push(base.id, tip.id, pack([tip])),
    repo: `${REPO} ${BRANCH}:unknown`,
  }),
  hostile('a parent in the message is no parent', PUSH, HIGH, {
    ...push(base.id, liar.id, pack([liar])),
    repo: `${REPO} ${BRANCH}:unknown`,
  }),
  hostile('a blob that reads like a commit is no commit', PUSH, HIGH, {
    ...push(base.id, middle.id, pack([{ ...middle, type: 3 }])),
    repo: `${REPO} ${BRANCH}:unknown`,
  }),
  hostile('a pack that is cut off before the proof', PUSH, HIGH, {
    body: pushBody(commands([[base.id, tip.id, BRANCH]]), pack([tip, middle]).subarray(0, 60)),
    cut: true,
    repo: `${REPO} ${BRANCH}:unknown`,
  }),
  hostile('deleting a branch', PUSH, 'write vcs:branch high', {
    ...push(base.id, ZERO),
    repo: `${REPO} ${BRANCH}:delete`,
  }),
  hostile('a tag that moves', PUSH, HIGH, {
    ...push(base.id, tip.id, pack([tip, middle]), 'refs/tags/v1'),
    repo: `${REPO} refs/tags/v1:force`,
  }),
  hostile('an own branch and main in one push', PUSH, 'write vcs:push high', {
    body: pushBody(
      commands([
        [ZERO, tip.id, BRANCH],
        [ZERO, tip.id, 'refs/heads/main'],
      ]),
    ),
    repo: `${REPO} ${BRANCH}:create refs/heads/main:create`,
  }),
  hostile('[NE-13] orders for the server', PUSH, HIGH, {
    body: pushBody(
      `${commands([[ZERO, tip.id, BRANCH]], OPTIONS)}${packet('merge_request.create')}${packet('ci.skip\n')}0000`,
      pack([tip]),
    ),
    repo: `${REPO} ${BRANCH}:create -o merge_request.create -o ci.skip`,
  }),
  hostile('[NE-13] orders beside an update that is proven', PUSH, HIGH, {
    body: pushBody(
      `${commands([[base.id, tip.id, BRANCH]], OPTIONS)}${packet('ci.skip')}0000`,
      pack([tip, middle]),
    ),
    repo: `${REPO} ${BRANCH}:update -o ci.skip`,
  }),
  hostile('[NE-13] announced in the first line, and not in the second', PUSH, HIGH, {
    body: pushBody(
      `${packet(`${ZERO} ${tip.id} ${BRANCH}\0${OPTIONS}`)}${packet(`${ZERO} ${tip.id} ${BRANCH}2\0agent=x`)}0000${packet('a.b')}0000`,
    ),
    repo: `${REPO} ${BRANCH}:create ${BRANCH}2:create -o a.b`,
  }),
  hostile('[NE-13] announced with a value', PUSH, HIGH, {
    body: pushBody(`${commands([[ZERO, tip.id, BRANCH]], 'push-options=1')}${packet('a.b')}0000`),
    repo: `${REPO} ${BRANCH}:create -o a.b`,
  }),
  hostile('[NE-13] orders that go on behind the prefix', PUSH, HIGH, {
    body: pushBody(`${commands([[ZERO, tip.id, BRANCH]], OPTIONS)}${packet('a.b')}`),
    cut: true,
    repo: `${REPO} ${BRANCH}:create *:unknown`,
  }),
  hostile('[NE-13] orders that are no packet lines', PUSH, HIGH, {
    body: pushBody(`${commands([[ZERO, tip.id, BRANCH]], OPTIONS)}zzzz`),
    repo: `${REPO} ${BRANCH}:create *:unknown`,
  }),
  friendly('a list of orders that is empty', PUSH, HIGH, {
    body: pushBody(`${commands([[ZERO, tip.id, BRANCH]], OPTIONS)}0000`, pack([tip])),
    repo: `${REPO} ${BRANCH}:create`,
  }),
  hostile('[NE-13] names as they are written: the gate knows which git refuses', PUSH, HIGH, {
    ...push(ZERO, tip.id, undefined, 'refs/heads/agent/../main'),
    repo: `${REPO} refs/heads/agent/../main:create`,
  }),
  hostile('[NE-13] with a blank', PUSH, HIGH, {
    ...push(ZERO, tip.id, undefined, 'refs/heads/agent/x y'),
    repo: `${REPO} refs/heads/agent/x y:create`,
  }),
  hostile('[NE-13] a name that is not UTF-8', PUSH, HIGH, {
    ...push(ZERO, tip.id, undefined, 'refs/heads/agent/\xff'),
    repo: `${REPO} *:unknown`,
  }),
  friendly('a name in UTF-8', PUSH, HIGH, {
    ...push(ZERO, tip.id, undefined, Buffer.from('refs/heads/ana/größe').toString('latin1')),
    repo: `${REPO} refs/heads/ana/größe:create`,
  }),
  hostile('a second command behind the prefix', PUSH, HIGH, {
    body: commands([[ZERO, tip.id, BRANCH]]).slice(0, -4),
    cut: true,
    repo: `${REPO} ${BRANCH}:create *:unknown`,
  }),
  hostile('lines that end without a flush', PUSH, HIGH, {
    body: commands([[ZERO, tip.id, BRANCH]]).slice(0, -4),
    repo: `${REPO} ${BRANCH}:create *:unknown`,
  }),
  hostile('a signed push hides its commands', PUSH, HIGH, {
    body: `${packet('push-cert\0report-status')}${packet('certificate version 0.1\n')}0000`,
    repo: `${REPO} *:unknown`,
  }),
  hostile('a probe that goes on', PUSH, HIGH, { body: '0000', cut: true, repo: `${REPO} *:unknown` }),
  hostile('a probe with something behind it', PUSH, HIGH, { body: '0000PACK', repo: `${REPO} *:unknown` }),
  hostile('two flushes', PUSH, HIGH, { body: '00000000', repo: `${REPO} *:unknown` }),
  hostile('no body', PUSH, HIGH, { repo: `${REPO} *:unknown` }),
  hostile('a compressed push', PUSH, HIGH, {
    body: '0000',
    headers: [['Content-Encoding', 'gzip']],
    repo: `${REPO} *:unknown`,
  }),
  hostile('no packet lines at all', PUSH, HIGH, { body: 'hello world', repo: `${REPO} *:unknown` }),
  hostile('a ref that is none', PUSH, HIGH, {
    body: commands([[ZERO, tip.id, 'HEAD']]),
    repo: `${REPO} *:unknown`,
  }),
  hostile(
    'a service that does not exist',
    `GET ${APP}/info/refs?service=git-evil-pack`,
    'write custom:http critical',
  ),
  hostile(
    'two services',
    `GET ${APP}/info/refs?service=git-upload-pack&service=x`,
    'write custom:http critical',
  ),
  hostile(
    'a POST of the refs',
    `POST ${APP}/info/refs?service=git-upload-pack`,
    'write custom:http critical',
  ),
  hostile('a PUT of a fetch', `PUT ${APP}/git-upload-pack`, 'write custom:http critical'),
  hostile(
    'an upload that says download twice',
    `POST ${APP}/info/lfs/objects/batch`,
    'write vcs:push critical',
    {
      body: '{"operation":"download","operation":"upload"}',
      repo: 'github.com/acme/app other',
    },
  ),
  hostile('a batch that is not all here', `POST ${APP}/info/lfs/objects/batch`, 'write vcs:push critical', {
    body: '{"operation":"download"',
    cut: true,
    repo: 'github.com/acme/app other',
  }),
  hostile(
    'a page of GitHub that ends like a fetch',
    'POST https://github.com/a/b/c/git-upload-pack',
    'write custom:http high',
  ),
  hostile(
    'a file of GitLab that is called like a fetch',
    'POST https://gitlab.com/api/v4/projects/1/files/git-upload-pack',
    'write custom:http critical',
  ),
  hostile(
    'CI variables are secrets',
    'GET https://gitlab.com/api/v4/projects/1/variables',
    'write custom:http critical',
  ),
  hostile(
    'with the ending that their server takes',
    'GET https://gitlab.com/api/v4/projects/1/variables.json',
    'write custom:http critical',
  ),
  hostile(
    'an unlisted host with such a path',
    'POST https://evil.example/x.git/git-upload-pack',
    'write custom:http high',
  ),
  hostile(
    'a gist is pushed to by anyone',
    'POST https://gist.github.com/abc.git/git-receive-pack',
    'write vcs:push high',
    {
      ...push(ZERO, tip.id),
      repo: `gist.github.com/abc contents ${BRANCH}:create`,
    },
  ),
];
