import type { Action, TargetProblem } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import {
  actionOf,
  bash,
  CWD,
  fact,
  file,
  http,
  judged,
  mcp,
  OPTIONS,
  pathFact,
  policyOf,
  short,
  snapshotOf,
} from '../gate.fixture.ts';
import { judge } from '../judge.ts';

const OPEN = { permissions: ['allow:*'], network: { default: 'allow' } };
const within = (capability: object, action: Action, extra: object = {}) =>
  judged(
    {
      ...OPEN,
      ...extra,
      security_contexts: { c: { capabilities: [capability] } },
      agents: { dev: { security_context: 'c' } },
    },
    action,
  );
const mail = (account: string | undefined, ...addresses: string[]) =>
  actionOf('email.send', { kind: 'address', addresses, ...(account === undefined ? {} : { account }) });
const run = (text: string, over = {}) =>
  actionOf('cmd.run', { kind: 'command', form: 'argv', cwd: CWD, commands: [fact(text, over)] });

describe('what was found while building', () => {
  test.each([
    { code: 'PathTraversalAttempt', action: file('Read', '/x'), expected: 'deny PathTraversalAttempt' },
    { code: 'PathOutsideBoundary', action: file('Read', '/x'), expected: 'deny PathOutsideBoundary' },
    { code: 'DomainNotAllowed', action: http('GET x.example/'), expected: 'deny DomainNotAllowed' },
    { code: 'MissingArgument', action: file('Read', '/x'), expected: 'deny PathOutsideBoundary' },
    { code: 'MissingArgument', action: http('GET x.example/'), expected: 'deny DomainNotAllowed' },
    { code: 'MissingArgument', action: bash('ls'), expected: 'deny CommandNotAllowed' },
    { code: 'Malformed', action: mail('a@b.example'), expected: 'deny DomainNotAllowed' },
    {
      code: 'MissingArgument',
      action: actionOf('cmd.run', { kind: 'plain' }),
      expected: 'deny CommandNotAllowed',
    },
    {
      code: 'MissingArgument',
      action: actionOf('web.fetch', { kind: 'plain' }),
      expected: 'deny DomainNotAllowed',
    },
    {
      code: 'MissingArgument',
      action: actionOf('fs.read', { kind: 'plain' }),
      expected: 'deny PathOutsideBoundary',
    },
  ] as const)(
    '[GA-7] $code in a $action.target.kind is a refusal that no rule outweighs',
    ({ code, action, expected }) => {
      const problem: TargetProblem = { code, message: 'found' };
      expect(judged(OPEN, { ...action, target: { ...action.target, problem } })).toBe(expected);
    },
  );

  test('the home of the gateway is closed to every tool', () => {
    const policy = policyOf(OPEN, { ...OPTIONS, closedPaths: ['/home/ana/.sallyport'] });
    const says = (action: Action) => short(judge(action, snapshotOf(policy)));
    expect(says(file('Read', '/home/ana/.sallyport/operator.token'))).toBe('deny PathOutsideBoundary');
    expect(says(file('Read', '/home/ana/.sallyportx'))).toBe('allow');
    const redirect = bash([fact('echo x', { writes: [pathFact('/home/ana/.sallyport/x')] })]);
    expect(says(redirect)).toBe('deny PathOutsideBoundary');
    const remove = actionOf('fs.delete', {
      kind: 'path',
      cwd: CWD,
      paths: [pathFact('/home/ana', 'delete')],
    });
    expect(says(remove)).toBe('deny PathOutsideBoundary');
  });
});

describe('security contexts', () => {
  test('path_allowlist holds every path on component borders', () => {
    const capability = { tool: '*', path_allowlist: ['/data/'] };
    expect(within(capability, file('fs.read', '/data/x'))).toBe('allow');
    expect(within(capability, file('fs.read', '/database'))).toBe('deny PathOutsideBoundary');
    expect(within(capability, file('fs.read', '/etc/passwd'))).toBe('deny PathOutsideBoundary');
    expect(within({ ...capability, path_allowlist: [] }, file('fs.read', '/data/x'))).toBe(
      'deny PathOutsideBoundary',
    );
    expect(within(capability, bash('ls'))).toBe('deny PathOutsideBoundary');
    const written = bash([fact('cat /etc/shadow', { writes: [pathFact('/data/x')] })]);
    expect(within(capability, written)).toBe('deny PathOutsideBoundary');
    const two = actionOf('fs.read', {
      kind: 'path',
      cwd: CWD,
      paths: [pathFact('/data/x'), pathFact('/etc/x')],
    });
    expect(within(capability, two)).toBe('deny PathOutsideBoundary');
  });

  test('domain_allowlist holds hosts and the domains of addresses', () => {
    const capability = { tool: '*', domain_allowlist: ['api.github.com', '*.example.org'] };
    const web = (host: string) => ({ ...http(`GET ${host}/`), tool: 'web.fetch', door: 'mcp' as const });
    expect(within(capability, web('api.github.com'))).toBe('allow');
    expect(within(capability, web('a.b.example.org'))).toBe('allow');
    expect(within(capability, web('example.org'))).toBe('deny DomainNotAllowed');
    expect(within(capability, web('evilexample.org'))).toBe('deny DomainNotAllowed');
    expect(within(capability, mail('a@b', 'x@api.github.com'))).toBe('allow');
    expect(within(capability, mail('a@b', 'x@API.github.com.', 'y@evil.example'))).toBe(
      'deny DomainNotAllowed',
    );
    expect(within(capability, mail('a@b', '"x@api.github.com"@evil.example'))).toBe('deny DomainNotAllowed');
    expect(within(capability, mail('a@b'))).toBe('deny DomainNotAllowed');
    expect(within(capability, mail(undefined))).toBe('deny DomainNotAllowed');
    expect(within(capability, mail('bot@x.example.org'))).toBe('allow');
    expect(within(capability, mcp('x', 'y'))).toBe('deny DomainNotAllowed');
  });

  test('account_allowlist holds the account that is acted as', () => {
    const capability = { tool: 'email.*', account_allowlist: ['Bot@example.com'] };
    expect(within(capability, mail('bot@example.com', 'a@b.example'))).toBe('allow');
    expect(within(capability, mail('ceo@example.com', 'a@b.example'))).toBe('deny DomainNotAllowed');
    expect(within(capability, mail(undefined, 'a@b.example'))).toBe('deny DomainNotAllowed');
  });

  test('subcommand_allowlist holds the program and its first positional argument', () => {
    const capability = { tool: 'cmd.run', subcommand_allowlist: { cargo: ['build', 'test'], npm: ['*'] } };
    expect(within(capability, run('cargo build --release'))).toBe('allow');
    expect(within(capability, run('cargo --locked test'))).toBe('allow');
    expect(within(capability, run('npm --prefix x publish'))).toBe('allow');
    expect(within(capability, run('cargo publish'))).toBe('deny SubcommandNotAllowed');
    expect(within(capability, run('cargo'))).toBe('deny SubcommandNotAllowed');
    expect(within(capability, run('cargo +nightly build'))).toBe('deny SubcommandNotAllowed');
    expect(within(capability, run('cargo --config build publish'))).toBe('deny SubcommandNotAllowed');
    expect(within(capability, run('rm -rf x'))).toBe('deny CommandNotAllowed');
    expect(within(capability, run('cargo build', { unknown: 'x' }))).toBe('deny CommandNotAllowed');
    expect(within(capability, actionOf('cmd.run', { kind: 'plain' }))).toBe('deny CommandNotAllowed');
    const line = actionOf('cmd.run', {
      kind: 'command',
      form: 'shell',
      cwd: CWD,
      commands: [fact('cargo build'), fact('sh')],
    });
    expect(within(capability, line)).toBe('deny CommandNotAllowed');
  });

  test('builtin_dispatchers is the ceiling of cmd.run, whatever a context allows', () => {
    const ceiling = { builtin_dispatchers: { cmd: { subcommand_allowlist: { cargo: ['build'] } } } };
    const wide = { tool: 'cmd.run', subcommand_allowlist: { cargo: ['*'], rm: ['*'] } };
    expect(within(wide, run('cargo build'), ceiling)).toBe('allow');
    expect(within(wide, run('cargo publish'), ceiling)).toBe('deny SubcommandNotAllowed');
    expect(within(wide, run('rm x'), ceiling)).toBe('deny CommandNotAllowed');
    expect(judged({ ...OPEN, ...ceiling }, run('rm x'))).toBe('deny CommandNotAllowed');
    expect(judged({ ...OPEN, ...ceiling }, actionOf('cmd.run', { kind: 'plain' }))).toBe(
      'deny CommandNotAllowed',
    );
    expect(judged({ ...OPEN, ...ceiling }, bash('rm x'))).toBe('allow');
  });

  test('one capability that holds is enough, and security_context names the context', () => {
    const security_contexts = {
      c: {
        capabilities: [
          { tool: 'fs.*', path_allowlist: ['/workspace'] },
          { tool: 'fs.read', path_allowlist: ['/data'] },
        ],
      },
    };
    const config = (dev: object) => ({ ...OPEN, security_contexts, agents: { dev } });
    const named = config({ security_context: 'c' });
    expect(judged(named, file('fs.read', '/data/x'))).toBe('allow');
    expect(judged(named, file('fs.write', '/data/x'))).toBe('deny PathOutsideBoundary');
    expect(judged(config({}), file('fs.write', '/data/x'))).toBe('allow');
  });

  test('the context of an agent that delegates limits the agent that it asks', () => {
    const config = {
      ...OPEN,
      security_contexts: { c: { capabilities: [{ tool: 'fs.*', path_allowlist: ['/workspace'] }] } },
      agents: { main: { security_context: 'c' }, dev: {} },
    };
    const actor = { chain: ['main', 'dev'] };
    expect(judged(config, file('fs.read', '/etc/x', { actor }))).toBe('deny PathOutsideBoundary');
    expect(judged(config, bash('ls', { actor }))).toBe('allow');
  });
});
