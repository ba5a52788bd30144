import { describe, expect, test } from 'vitest';
import { actionOf, bash, CWD, fact, file, http, judged, mcp, pathFact } from '../gate.fixture.ts';

const OPEN = { network: { default: 'allow' } };
const dev = (...permissions: string[]) => ({ ...OPEN, agents: { dev: { permissions } } });

describe('the lists', () => {
  test('the first match of a list counts', () => {
    expect(judged(dev('deny:Bash(git push *)', 'allow:Bash'), bash('git push origin x'))).toBe(
      'deny RuleDenied',
    );
    expect(judged(dev('allow:Bash', 'deny:Bash(git push *)'), bash('git push origin x'))).toBe('allow');
  });

  test('permissions at the top, of the tenant and of the agent are judged apart, and the strictest counts', () => {
    const allowAll = { agents: { dev: { permissions: ['allow:*'] } }, ...OPEN };
    const action = bash('ls');
    expect(judged(allowAll, action)).toBe('allow');
    expect(judged({ ...allowAll, permissions: ['deny:Bash'] }, action)).toBe('deny RuleDenied');
    expect(judged({ ...allowAll, permissions: ['ask:Bash'] }, action)).toBe('ask review');
    const tenants = { default: { permissions: ['deny:Bash'] } };
    expect(judged({ ...allowAll, tenants }, action)).toBe('deny RuleDenied');
    expect(judged({ ...OPEN, permissions: ['allow:Bash'] }, action)).toBe('allow');
    expect(judged({ ...OPEN, tenants: { default: { permissions: ['allow:Bash'] } } }, action)).toBe('allow');
  });

  test('without a match the action is asked about, at strength review', () => {
    expect(judged(OPEN, bash('ls'))).toBe('ask review');
    expect(judged(dev('allow:Read'), bash('ls'))).toBe('ask review');
  });

  test('rules of an agent that delegates limit the agent that it asks, and give it nothing', () => {
    const agents = {
      main: { permissions: ['deny:Write(/config/**)', 'allow:*'] },
      dev: { permissions: ['allow:Write'] },
    };
    const chain = { actor: { chain: ['main', 'dev'] } };
    expect(judged({ agents }, file('Write', '/srv/root/config/x', chain))).toBe('deny RuleDenied');
    expect(judged({ agents }, file('Write', '/srv/root/project/x', chain))).toBe('allow');
    expect(judged({ agents }, bash('ls', chain))).toBe('ask review');
  });
});

describe('selectors', () => {
  test.each([
    { rule: 'allow:*', action: mcp('x', 'y'), expected: 'allow', why: 'every tool' },
    { rule: 'deny:Read', action: file('Grep', '/x'), expected: 'deny RuleDenied', why: 'Read covers Grep' },
    { rule: 'deny:Read', action: file('Glob', '/x'), expected: 'deny RuleDenied', why: 'Read covers Glob' },
    { rule: 'deny:Read', action: file('LS', '/x'), expected: 'deny RuleDenied', why: 'Read covers LS' },
    { rule: 'deny:Grep', action: file('Read', '/x'), expected: 'ask review', why: 'not the other way' },
    { rule: 'deny:Write', action: file('Edit', '/x'), expected: 'deny RuleDenied', why: 'Write covers Edit' },
    {
      rule: 'deny:Write',
      action: file('MultiEdit', '/x'),
      expected: 'deny RuleDenied',
      why: 'and MultiEdit',
    },
    {
      rule: 'deny:Write',
      action: file('NotebookEdit', '/x'),
      expected: 'deny RuleDenied',
      why: 'and notebooks',
    },
    {
      rule: 'deny:Write(/config/**)',
      action: file('Edit', '/srv/root/config/a'),
      expected: 'deny RuleDenied',
      why: '`/` is the platform root',
    },
    {
      rule: 'deny:Write(/config/**)',
      action: file('Write', '/config/a'),
      expected: 'ask review',
      why: '`/` is not the disk',
    },
    {
      rule: 'deny:Write(//etc/**)',
      action: file('Write', '/etc/passwd'),
      expected: 'deny RuleDenied',
      why: '`//` is the disk',
    },
    {
      rule: 'deny:Read(~/.ssh/**)',
      action: file('Read', '/home/ana/.ssh/id'),
      expected: 'deny RuleDenied',
      why: '`~/` is home',
    },
    {
      rule: 'allow:Write(./src/**)',
      action: file('Write', `${CWD}/src/a.ts`),
      expected: 'allow',
      why: '`./` is the cwd',
    },
    {
      rule: 'allow:Write(./src/**)',
      action: file('Write', '/srv/root/src/a.ts'),
      expected: 'ask review',
      why: 'outside the cwd',
    },
    {
      rule: 'allow:Write(./**)',
      action: file('Write', `${CWD}x/a`),
      expected: 'ask review',
      why: 'a sibling folder',
    },
    {
      rule: 'allow:Read(./**)',
      action: file('Read', `${CWD}/.env`),
      expected: 'allow',
      why: 'dotfiles included',
    },
    { rule: 'ask:mcp:github/*', action: mcp('github', 'x'), expected: 'ask review', why: 'a server' },
    {
      rule: 'allow:mcp:github/*',
      action: mcp('githubx', 'x'),
      expected: 'ask review',
      why: 'another server',
    },
    { rule: 'allow:mcp__github__x', action: mcp('github', 'x'), expected: 'allow', why: 'one name' },
    { rule: 'allow:fs.*', action: file('fs.read', '/x'), expected: 'allow', why: 'a family' },
    {
      rule: 'allow:fs.*',
      action: actionOf('fsx.read', { kind: 'plain' }),
      expected: 'ask review',
      why: 'dot border',
    },
    {
      rule: 'deny:@deploy',
      action: bash([fact('x', { type: 'deploy:staging' })]),
      expected: 'deny RuleDenied',
      why: 'a category',
    },
    {
      rule: 'deny:@db:admin',
      action: actionOf('mcp:pg/q', { kind: 'plain' }, { type: 'db:admin' }),
      expected: 'deny RuleDenied',
      why: 'a type',
    },
    {
      rule: 'deny:@db:admin',
      action: actionOf('mcp:pg/q', { kind: 'plain' }, { type: 'db:query' }),
      expected: 'ask review',
      why: 'another type',
    },
    {
      rule: 'allow:gh(pr list *)',
      action: bash('gh pr list --json x'),
      expected: 'allow',
      why: 'a CLI in a shell line',
    },
    {
      rule: 'allow:gh(pr list *)',
      action: bash('gh pr merge 1'),
      expected: 'ask review',
      why: 'another verb',
    },
    {
      rule: 'deny:Bash(rm *)',
      action: bash('rm'),
      expected: 'deny RuleDenied',
      why: 'a deny of all its calls covers the bare one',
    },
    { rule: 'allow:Bash(git *)', action: bash('git'), expected: 'ask review', why: 'an allow does not' },
    {
      rule: 'deny:Bash(rm *)',
      action: bash([fact('/bin/rm -r x', { program: 'rm' })]),
      expected: 'deny RuleDenied',
      why: 'named by its path',
    },
    {
      rule: 'deny:email.send(*@rival.example)',
      action: actionOf('email.send', { kind: 'address', addresses: ['a@b.example', 'X@Rival.Example'] }),
      expected: 'deny RuleDenied',
      why: 'one of several, any case',
    },
    {
      rule: 'allow:email.send(*@b.example)',
      action: actionOf('email.send', { kind: 'address', addresses: ['a@b.example', 'x@rival.example'] }),
      expected: 'ask review',
      why: 'one that is not allowed',
    },
    {
      rule: 'allow:email.send(*)',
      action: actionOf('email.send', { kind: 'address', addresses: [] }),
      expected: 'ask review',
      why: 'nobody is not everybody',
    },
    {
      rule: 'deny:email.send(*@rival.example)',
      action: actionOf('email.send', { kind: 'address', addresses: [] }),
      expected: 'ask human',
      why: 'a fact that is missing is a doubt',
    },
  ])('$rule: $why', ({ rule, action, expected }) => {
    expect(judged(dev(rule), action)).toBe(expected);
  });

  test.each([
    {
      rule: 'allow:http(GET api.github.com/repos/**)',
      request: 'GET api.github.com/repos/a',
      expected: 'allow',
    },
    {
      rule: 'allow:http(GET api.github.com/repos/**)',
      request: 'HEAD api.github.com/repos/a',
      expected: 'ask review',
    },
    {
      rule: 'allow:http(GET api.github.com/repos/**)',
      request: 'GET api.github.com/user',
      expected: 'ask review',
    },
    {
      rule: 'allow:http(GET api.github.com/repos/**)',
      request: 'GET api.github.com.evil.example/repos/a',
      expected: 'ask review',
    },
    { rule: 'allow:http(GET,HEAD @known)', request: 'HEAD a.docs.example/x', expected: 'allow' },
    { rule: 'allow:http(GET,HEAD @known)', request: 'GET docs.example/x', expected: 'ask review' },
    { rule: 'deny:http(* *.evil.example)', request: 'GET a.b.evil.example/', expected: 'deny RuleDenied' },
    { rule: 'allow:http(GET x.example:8443)', request: 'GET x.example/', expected: 'ask review' },
  ])('$rule on $request gives $expected', ({ rule, request, expected }) => {
    expect(judged(dev(rule), http(request))).toBe(expected);
  });

  test('a deny of a request bites whichever tool makes it; an allow covers the proxy only', () => {
    const fetch = { ...http('GET evil.example/'), tool: 'web.fetch' };
    expect(judged(dev('deny:http(* evil.example)', 'allow:*'), fetch)).toBe('deny RuleDenied');
    expect(judged(dev('allow:http(* evil.example)'), fetch)).toBe('ask review');
  });

  test('a doubt about a missing fact hides no certain deny behind it', () => {
    const send = actionOf('email.send', { kind: 'address', addresses: [] });
    expect(judged(dev('deny:email.send(*@rival.example)', 'deny:email.*'), send)).toBe('deny RuleDenied');
  });

  test('deleting a folder is a deletion of what a deny below it protects', () => {
    const remove = actionOf('fs.delete', {
      kind: 'path',
      cwd: CWD,
      paths: [pathFact('/srv/root/config', 'delete')],
    });
    expect(judged(dev('deny:fs.delete(/config/keys/**)', 'allow:*'), remove)).toBe('deny RuleDenied');
  });

  test('custom_types makes an own type known to rules', () => {
    const action = actionOf('mcp:billing/pay', { kind: 'plain' }, { type: 'custom:billing' });
    const config = { custom_types: ['custom:billing'], ...dev('deny:@custom:billing', 'allow:*') };
    expect(judged(config, action)).toBe('deny RuleDenied');
    expect(() => judged(dev('deny:@custom:billing'), action)).toThrow('no action type');
    // Any category will do, and stands for all its types.
    const own = { ...action, type: 'billing:refund' } as const;
    const types = { custom_types: ['billing:refund', 'billing:charge', 'deploy:canary'] };
    expect(judged({ ...types, ...dev('deny:@billing:refund', 'allow:*') }, own)).toBe('deny RuleDenied');
    expect(judged({ ...types, ...dev('deny:@billing', 'allow:*') }, own)).toBe('deny RuleDenied');
    expect(judged({ ...types, ...dev('deny:@billing:charge', 'allow:*') }, own)).toBe('allow');
    const canary = { ...action, type: 'deploy:canary' } as const;
    expect(judged({ ...types, ...dev('deny:@deploy', 'allow:*') }, canary)).toBe('deny RuleDenied');
    for (const text of ['refund', 'Billing:x', ':x', 'billing:', 'a b:c'])
      expect(() => judged({ custom_types: [text], ...dev('allow:*') }, action), text).toThrow();
  });

  test('platform_root is what a path that begins with / means in a rule', () => {
    const read = file('Read', '/srv/app/config/a');
    const rules = dev('deny:Read(/config/**)', 'allow:*');
    expect(judged(rules, read)).toBe('allow');
    expect(judged({ platform_root: '/srv/app', ...rules }, read)).toBe('deny RuleDenied');
    expect(judged({ platform_root: '/srv/app/', ...rules }, read)).toBe('deny RuleDenied');
    expect(judged({ platform_root: '/srv/app', ...dev('deny:Read(//srv/app/**)', 'allow:*') }, read)).toBe(
      'deny RuleDenied',
    );
    expect(judged({ platform_root: '/elsewhere', ...rules }, read)).toBe('allow');
    for (const text of ['srv', '/srv/../etc', ''])
      expect(() => judged({ platform_root: text, ...rules }, read), text).toThrow();
  });
});
