import type { Action, RefChange, RepositoryFact } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { bash, fact, http, judged, mcp, policyOf, short, snapshotOf } from '../gate.fixture.ts';
import { judge } from '../judge.ts';

const OPEN = { permissions: ['allow:*'], network: { default: 'allow' } };
const at = (tenant: object, action: Action, rest: object = {}) =>
  judged({ ...OPEN, ...rest, tenants: { default: tenant } }, action);
const BRANCHES = { owned: ['{user}/*', 'agent/*', '{agent}-*'], protected: ['main', 'release/*'] };
const GITHUB = {
  mode: 'cautious',
  branches: BRANCHES,
  exceptions: [{ github: 'contents' }, { github: 'actions' }],
};

const repo = (refs: readonly RefChange[], over: Partial<RepositoryFact> = {}): RepositoryFact => ({
  repository: 'github.com/acme/app',
  area: 'contents',
  refs,
  ...over,
});
const update = (branch: string): RefChange => ({ ref: `refs/heads/${branch}`, change: 'update' });
const pushed = (fact_: RepositoryFact, provider = 'github') =>
  http('POST github.com/acme/app/git-receive-pack', { provider, repo: fact_ });
const push = (...branches: string[]) => pushed(repo(branches.map(update)));
const post = http('POST api.linear.app/graphql', { provider: 'linear', operation: 'mutation commentCreate' });

describe('mode', () => {
  test('mode strict asks for every remote write, cautious for all but the exceptions', () => {
    const exceptions = ['http'];
    expect(at({ mode: 'strict', exceptions }, post)).toBe('ask human');
    expect(at({ mode: 'cautious', exceptions }, post)).toBe('allow');
    expect(at({ mode: 'cautious' }, post)).toBe('ask human');
    expect(at({}, post)).toBe('ask human');
    expect(judged(OPEN, post)).toBe('ask human');
  });

  test('[AP-7] a program that wants a session is asked about each time, whatever rules, modes and levels say', () => {
    const connect = (effect: 'read' | 'write') =>
      mcp('x', 'y', { type: 'custom:connect', effect, reach: effect === 'read' ? 'workspace' : 'remote' });
    for (const effect of ['read', 'write'] as const) {
      expect(at({ mode: 'cautious', exceptions: ['*', 'mcp:*'] }, connect(effect))).toBe('ask each-time');
      expect(at({}, connect(effect), { permissions: ['allow:@custom:connect'] })).toBe('ask each-time');
    }
    expect(at({}, connect('write'), { permissions: ['deny:@custom:connect'] })).toBe('deny RuleDenied');
  });

  test('[SS-4] a trap of a command is asked about each time, also where all else is allowed and it only reads', () => {
    const trap = { trap: 'it goes to another address', reach: 'remote' as const };
    for (const effect of ['read', 'write'] as const) {
      expect(at({ exceptions: ['*', 'aws'] }, bash([fact('aws s3 ls', { ...trap, effect })]))).toBe(
        'ask each-time',
      );
    }
    expect(at({}, bash([fact('aws x', trap)]), { permissions: ['deny:Bash(aws *)'] })).toBe(
      'deny RuleDenied',
    );
    expect(at({ mode: 'strict' }, bash([fact('aws s3 ls', { reach: 'remote' })]))).toBe('allow');
  });

  test('reads and local writes are free', () => {
    expect(at({ mode: 'strict' }, http('GET x.example/'))).toBe('allow');
    expect(at({ mode: 'strict' }, bash([fact('rm x', { effect: 'write' })]))).toBe('allow');
  });

  test('an exception silences the mode only: the rules still have to allow', () => {
    const tenant = { exceptions: ['http'] };
    expect(judged({ network: { default: 'allow' }, tenants: { default: tenant } }, post)).toBe('ask review');
    expect(at(tenant, post, { permissions: ['deny:http'] })).toBe('deny RuleDenied');
  });

  test('branches.owned are what github contents covers, with the user and the agent filled in', () => {
    expect(at(GITHUB, push('ana/feature/x'))).toBe('allow');
    expect(at(GITHUB, push('agent/x'))).toBe('allow');
    expect(at(GITHUB, push('dev-x'))).toBe('allow');
    expect(at(GITHUB, push('bob/x'))).toBe('ask human');
    expect(at(GITHUB, push('anax'))).toBe('ask human');
    expect(at({ ...GITHUB, branches: {} }, push('ana/x'))).toBe('ask human');
  });

  test('a name of a user is never read as a pattern, and no name owns nothing', () => {
    const as = (user: string) => ({ ...push('bob/x'), actor: { ...push('x').actor, user } });
    expect(at(GITHUB, as('*'))).toBe('ask human');
    expect(at(GITHUB, as(''))).toBe('ask human');
    expect(at(GITHUB, as('$&'))).toBe('ask human');
    expect(at(GITHUB, as('bob'))).toBe('allow');
  });

  test('branches.protected ask each time, exception or not', () => {
    const wide = { ...GITHUB, branches: { owned: ['*'], protected: ['main', 'release/*'] } };
    expect(at(wide, push('main'))).toBe('ask each-time');
    expect(at(wide, push('release/1.2'))).toBe('ask each-time');
    expect(at(wide, push('x'))).toBe('allow');
    expect(at({ ...wide, mode: 'strict' }, push('main'))).toBe('ask each-time');
    expect(at({ ...GITHUB, branches: { owned: ['*'] } }, push('master'))).toBe('ask each-time');
    expect(at({ ...wide, branches: { owned: ['*'], protected: [] } }, push('main'))).toBe('allow');
  });

  test.each([
    { refs: [{ ref: 'refs/heads/ana/x', change: 'force' }], expected: 'ask each-time', why: 'a force-push' },
    { refs: [{ ref: 'refs/heads/ana/x', change: 'delete' }], expected: 'ask each-time', why: 'a deletion' },
    {
      refs: [{ ref: 'refs/heads/ana/x', change: 'unknown' }],
      expected: 'ask each-time',
      why: 'an unknown change',
    },
    { refs: [{ ref: '*', change: 'update' }], expected: 'ask each-time', why: 'an unknown branch' },
    { refs: [update('ana/x'), update('bob/x')], expected: 'ask human', why: 'owned and other refs mixed' },
    { refs: [update('ana/x'), update('main')], expected: 'ask each-time', why: 'a protected one among them' },
    {
      refs: [{ ref: 'refs/tags/ana/x', change: 'create' }],
      expected: 'ask human',
      why: 'a tag is no branch',
    },
    { refs: [], expected: 'ask human', why: 'nothing is known of the refs' },
  ] as const)('$why: $expected', ({ refs, expected }) => {
    expect(at(GITHUB, pushed(repo(refs)))).toBe(expected);
  });

  test.each([
    'agent/../main',
    'agent/x.lock',
    'agent/x@{1}',
    'agent//x',
    'agent/.x',
    'agent/x.',
    'agent/x y',
    'agent/\u0000x',
    'agent/x%2f..%2fmain',
    'agent/ma\u200cin',
  ])('[NE-13] no list of branches owns %j, whoever names it', (branch) => {
    const wide = { ...GITHUB, branches: { owned: ['*'], protected: ['main'] } };
    expect(at(wide, push(branch))).toBe('ask each-time');
    const line = bash([fact('git push', { effect: 'write', reach: 'remote', repo: repo([update(branch)]) })]);
    expect(at(wide, line)).toBe('ask each-time');
    expect(at({ ...wide, exceptions: ['*', 'http', 'Bash'] }, push(branch))).toBe('ask each-time');
    const run = pushed(repo([update(branch)], { area: 'actions' }));
    expect(at(wide, run)).toBe('ask each-time');
  });

  test('[NE-13] no list of branches owns what is no branch', () => {
    const wide = { ...GITHUB, branches: { owned: ['*'], protected: ['main'] } };
    for (const ref of ['refs/for/main', 'refs/changes/1/1', 'refs/meta/config', 'refs/headsx/agent/x'])
      expect(at(wide, pushed(repo([{ ref, change: 'create' }])))).toBe('ask human');
    for (const ref of ['HEAD', 'main', 'refs/heads', 'refs/for/main%submit'])
      expect(at(wide, pushed(repo([{ ref, change: 'create' }])))).toBe('ask each-time');
  });

  test('[NE-13] a push with options is asked about each time, on an owned branch too', () => {
    const optional = pushed(repo([update('ana/x')], { options: ['merge_request.create'] }));
    expect(at(GITHUB, optional)).toBe('ask each-time');
    expect(at({ ...GITHUB, exceptions: ['*', 'http', { github: 'contents' }] }, optional)).toBe(
      'ask each-time',
    );
    expect(at(GITHUB, pushed(repo([update('ana/x')], { options: [] })))).toBe('allow');
  });

  test('a protected branch is found in other letters, which some servers keep as the same', () => {
    const wide = { ...GITHUB, branches: { owned: ['*'], protected: ['main', 'Release/*'] } };
    for (const branch of ['Main', 'MAIN', 'ｍain', 'release/1', 'RELEASE/1'])
      expect(at(wide, push(branch))).toBe('ask each-time');
    expect(at(wide, push('mainly'))).toBe('allow');
  });

  test('exceptions github contents and actions each cover their own area, on GitHub only', () => {
    const run = pushed(repo([update('ana/x')], { area: 'actions' }));
    const named = { github: 'actions', repositories: ['acme/app'] };
    expect(at({ ...GITHUB, exceptions: [{ github: 'contents' }] }, run)).toBe('ask human');
    expect(at({ ...GITHUB, exceptions: [named] }, run)).toBe('allow');
    expect(at({ ...GITHUB, exceptions: [named] }, pushed(repo([update('main')], { area: 'actions' })))).toBe(
      'ask each-time',
    );
    expect(at({ ...GITHUB, exceptions: [{ github: 'actions' }] }, push('ana/x'))).toBe('ask human');
    expect(at(GITHUB, pushed(repo([update('ana/x')], { area: 'other' })))).toBe('ask human');
    const elsewhere = repo([update('ana/x')], { repository: 'gitlab.com/acme/app' });
    expect(at(GITHUB, pushed(elsewhere, 'gitlab'))).toBe('ask human');
    const { repository: _repository, ...unnamed } = repo([update('ana/x')]);
    expect(at(GITHUB, pushed(unnamed, 'git'))).toBe('ask human');
  });

  test('providers give a host another provider, for exceptions and for the classifiers', () => {
    const entry = { host: 'ghe.corp.example:443', provider: 'github' };
    const line = bash([
      fact('git push origin ana/x', {
        effect: 'write',
        reach: 'remote',
        repo: repo([update('ana/x')], { repository: 'ghe.corp.example/acme/app' }),
      }),
    ]);
    const github = {
      ...GITHUB,
      exceptions: [{ github: 'contents', repositories: ['ghe.corp.example/acme/app'] }],
    };
    expect(at(github, line)).toBe('ask human');
    expect(at(github, line, { providers: [entry] })).toBe('allow');
    expect(at({ ...github, providers: [entry] }, line)).toBe('allow');
    expect(at(github, line, { providers: [{ ...entry, provider: 'gitlab' }] })).toBe('ask human');
    expect(policyOf({ providers: [entry] }).providers).toEqual([entry]);
  });

  test('a provider exception is narrowed by methods, paths and when', () => {
    const covers = (over: object) => at({ exceptions: [{ provider: 'linear', ...over }] }, post);
    expect(covers({})).toBe('allow');
    expect(covers({ provider: 'slack' })).toBe('ask human');
    expect(covers({ methods: ['POST'] })).toBe('allow');
    expect(covers({ methods: ['PUT'] })).toBe('ask human');
    expect(covers({ paths: ['/graphql'] })).toBe('allow');
    expect(covers({ paths: ['/rest/**'] })).toBe('ask human');
    expect(covers({ when: 'mutation commentCreate' })).toBe('allow');
    expect(covers({ when: 'mutation issueDelete' })).toBe('ask human');
  });

  test('an exception may be any selector of a rule', () => {
    const exceptions = ['mcp:github/create_issue', 'gh(pr create *)'];
    const remote = { effect: 'write', reach: 'remote' } as const;
    expect(at({ exceptions }, mcp('github', 'create_issue', remote))).toBe('allow');
    expect(at({ exceptions }, mcp('github', 'delete_repo', remote))).toBe('ask human');
    const line = (...texts: string[]) =>
      bash(
        texts.map((text) => fact(text, remote)),
        remote,
      );
    expect(at({ exceptions }, line('gh pr create -f'))).toBe('allow');
    expect(at({ exceptions }, line('gh pr create -f', 'gh pr merge 1'))).toBe('ask human');
    expect(at({ exceptions }, bash([fact('gh pr create $x', { ...remote, unknown: 'x' })], remote))).toBe(
      'ask human',
    );
  });

  test('[GA-2] a line that is a remote write as a whole asks, also when no command shows why', () => {
    const remote = { effect: 'write', reach: 'remote' } as const;
    expect(at({ exceptions: ['Bash'] }, bash('ls', remote))).toBe('ask human');
    expect(at({ exceptions: ['Bash'] }, bash([], remote))).toBe('ask human');
    const line = bash([fact('git fetch', { effect: 'read', reach: 'remote' })], remote);
    const unread = { ...line, target: { ...line.target, unknown: 'x' } as Action['target'] };
    expect(at({ exceptions: ['Bash'] }, unread)).toBe('ask human');
  });

  test('a line that reads elsewhere and writes here writes nothing elsewhere', () => {
    const fetches = fact('git fetch', { effect: 'read', reach: 'remote' });
    const commits = fact('git commit -m x', { effect: 'write' });
    const whole = { effect: 'write', reach: 'remote' } as const;
    expect(at({}, bash([fetches, commits], whole))).toBe('allow');
    expect(at({}, bash([fetches, commits, fact('x', whole)], whole))).toBe('ask human');
  });

  test('quorum types ask each time, also for a read', () => {
    const approvals = { quorum: { types: ['deploy:production'], of: 2 } };
    const policy = policyOf({ ...OPEN, approvals });
    const says = (action: Action) => short(judge(action, snapshotOf(policy)));
    expect(says(bash([fact('x', { type: 'deploy:production' })]))).toBe('ask each-time');
    expect(says(mcp('x', 'y', { type: 'deploy:production' }))).toBe('ask each-time');
  });

  test('a credential that its tenant marks critical asks each time; another one of that name does not', () => {
    const api = { kind: 'bearer', source: 'env:X', hosts: ['x.example'] };
    const marked = {
      credentials: { 'aws:prod': { ...api, risk: 'critical' }, 'aws:dev': { ...api, risk: 'high' } },
    };
    const policy = policyOf({ ...OPEN, tenants: { default: marked } });
    const says = (action: Action) => short(judge(action, snapshotOf(policy)));
    expect(says(http('GET x.example/', { credential: 'aws:prod' }))).toBe('ask each-time');
    expect(says(http('GET x.example/', { credential: 'aws:dev' }))).toBe('allow');
  });

  test('grants.allow_always says whether people may give permanent grants', () => {
    expect(policyOf({}).grants.allowAlways).toBe(true);
    expect(policyOf({ tenants: { default: { grants: { allow_always: false } } } }).grants.allowAlways).toBe(
      false,
    );
  });
});
