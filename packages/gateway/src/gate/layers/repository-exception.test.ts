import type { Action, RefChange, RepositoryFact } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { bash, fact, http, judged, policyOf, short, snapshotOf } from '../gate.fixture.ts';
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

describe('[GA-15] an exception holds for the repositories it was given for', () => {
  const to = (repository: string, over: Partial<RepositoryFact> = {}) =>
    pushed(repo([update('ana/x')], { repository, ...over }));
  const withIdentity = (action: Action, repositories: readonly string[] | undefined) => {
    const policy = policyOf({ ...OPEN, tenants: { default: GITHUB } });
    const { identity, ...snapshot } = snapshotOf(policy);
    if (identity.kind !== 'session') throw new Error('a session');
    const { repositories: _given, ...session } = identity;
    const who = repositories === undefined ? session : { ...session, repositories };
    return short(judge(action, { ...snapshot, identity: who }));
  };

  test('those of the workspace, and no others', () => {
    expect(withIdentity(to('github.com/acme/app'), ['github.com/acme/app'])).toBe('allow');
    expect(withIdentity(to('github.com/ana/app'), ['github.com/acme/app', 'github.com/ana/app'])).toBe(
      'allow',
    );
    for (const other of [
      'github.com/acme/other',
      'github.com/eve/app',
      'github.com/acme/app2',
      'github.com/acme/app/x',
      'ghe.corp.example/acme/app',
    ])
      expect(withIdentity(to(other), ['github.com/acme/app'])).toBe('ask human');
  });

  test('none, where no workspace was named, or it has no remotes', () => {
    expect(withIdentity(to('github.com/acme/app'), undefined)).toBe('ask human');
    expect(withIdentity(to('github.com/acme/app'), [])).toBe('ask human');
  });

  test('an exception for repositories is for the hosts of its provider', () => {
    const hosts = {
      github: 'github.com',
      gitlab: 'gitlab.com',
      bitbucket: 'bitbucket.org',
      git: 'git.corp.example',
    };
    const providers = [{ host: 'git.corp.example', provider: 'git' }];
    for (const [named, host] of Object.entries(hosts))
      for (const provider of Object.keys(hosts)) {
        const exceptions = [{ [provider]: 'contents', repositories: [`${host}/acme/app`] }];
        const tenant = { ...GITHUB, providers, exceptions };
        const expected = provider === named ? 'allow' : 'ask human';
        const repository = `${host}/acme/app`;
        const line = bash([
          fact('git push', {
            effect: 'write',
            reach: 'remote',
            repo: repo([update('ana/x')], { repository }),
          }),
        ]);
        expect(at(tenant, pushed(repo([update('ana/x')], { repository }), named))).toBe(expected);
        expect(at(tenant, line)).toBe(expected);
      }
    const deep = {
      ...GITHUB,
      exceptions: [{ gitlab: 'contents', repositories: ['acme/team/app', 'b/*'] }],
    };
    const lab = (repository: string) => pushed(repo([update('ana/x')], { repository }), 'gitlab');
    expect(at(deep, lab('gitlab.com/acme/team/app'))).toBe('allow');
    expect(at(deep, lab('gitlab.com/b/c'))).toBe('allow');
    expect(at(deep, lab('gitlab.com/b/c/d'))).toBe('ask human');
    expect(at(deep, lab('acme/team/app'))).toBe('ask human');
  });

  describe('collaboration', () => {
    const tenant = { ...GITHUB, exceptions: [{ github: 'collaboration' }] };
    const talk = (over: Partial<RepositoryFact> = {}) =>
      http('POST api.github.com/repos/acme/app/issues/1/comments', {
        provider: 'github',
        repo: repo([], { area: 'collaboration', ...over }),
      });

    test('talk in the repositories of the workspace passes, and in no others', () => {
      expect(at(tenant, talk())).toBe('allow');
      for (const other of ['github.com/acme/other', 'github.com/eve/app', 'ghe.corp.example/acme/app'])
        expect(at(tenant, talk({ repository: other }))).toBe('ask human');
      const { repository: _none, ...unnamed } = repo([], { area: 'collaboration' });
      expect(at(tenant, http('POST api.github.com/x', { provider: 'github', repo: unnamed }))).toBe(
        'ask human',
      );
      expect(at({ ...tenant, mode: 'strict' }, talk())).toBe('ask human');
      expect(at({ ...tenant, exceptions: [{ github: 'contents' }] }, talk())).toBe('ask human');
      expect(at({ ...tenant, exceptions: [{ gitlab: 'collaboration' }] }, talk())).toBe('ask human');
    });

    test('what others are asked to take is an owned branch', () => {
      expect(at(tenant, talk({ head: 'refs/heads/ana/x' }))).toBe('allow');
      for (const head of ['refs/heads/bob/x', 'refs/heads/main', 'refs/tags/ana/x', 'ana/x', '*'])
        expect(at(tenant, talk({ head }))).toBe('ask human');
    });

    test('what changes a branch as well is no talk', () => {
      expect(at(tenant, talk({ refs: [update('ana/x')] }))).toBe('ask human');
      expect(at(tenant, talk({ refs: [{ ref: '*', change: 'unknown' }] }))).toBe('ask each-time');
      expect(at(tenant, talk({ pipeline: true }))).toBe('ask human');
    });

    test('it does not cover contents, nor what only a table knows', () => {
      expect(at(tenant, push('ana/x'))).toBe('ask human');
      expect(at(tenant, talk({ area: 'other' }))).toBe('ask human');
    });
  });

  test('those that it names, in place of the workspace', () => {
    const only = (repositories: readonly string[]) => ({
      ...GITHUB,
      exceptions: [{ github: 'contents', repositories }],
    });
    expect(at(only(['Acme/Lib']), to('github.com/acme/lib'))).toBe('allow');
    expect(at(only(['acme/lib']), to('github.com/acme/app'))).toBe('ask human');
    expect(at(only(['acme/*']), to('github.com/acme/anything'))).toBe('allow');
    expect(at(only(['acme/*']), to('github.com/acme2/anything'))).toBe('ask human');
    expect(at(only(['acme/*']), to('ghe.corp.example/acme/x'))).toBe('ask human');
  });

  test('a pipeline starts only where the exception names the repository', () => {
    const run = to('github.com/acme/app', { area: 'actions' });
    expect(at(GITHUB, run)).toBe('ask human');
    const named = { ...GITHUB, exceptions: [{ github: 'actions', repositories: ['acme/app'] }] };
    expect(at(named, run)).toBe('allow');
  });

  test('a file that says what pipelines run is never covered', () => {
    const named = { ...GITHUB, exceptions: [{ github: 'contents', repositories: ['acme/app'] }] };
    for (const tenant of [GITHUB, named])
      expect(at(tenant, to('github.com/acme/app', { pipeline: true }))).toBe('ask human');
  });

  test.each([
    ['a name alone', 'app'],
    ['a pattern of owners', '*/app'],
    ['an address', 'https://github.com/acme/app'],
    ['everything', '*'],
    ['a part of a name', 'acme/a*'],
  ])('%s is no repository', (_, name) => {
    const exceptions = [{ github: 'contents', repositories: [name] }];
    expect(() => at({ exceptions }, to('github.com/acme/app'))).toThrow();
  });

  test('the question says why', () => {
    const why = (action: Action) => {
      const judgement = judge(action, snapshotOf(policyOf({ ...OPEN, tenants: { default: GITHUB } })));
      return judgement.opinions.find(({ layer }) => layer === 'mode')?.reason;
    };
    expect(why(to('github.com/eve/app'))).toBe(
      '`github.com/eve/app` is no remote of this workspace, and no exception names it',
    );
    expect(why(to('github.com/acme/app', { pipeline: true }))).toBe(
      'it changes, or may change, a file that says what pipelines run',
    );
    expect(why(to('github.com/acme/app', { area: 'actions' }))).toBe('it starts a pipeline');
  });
});
