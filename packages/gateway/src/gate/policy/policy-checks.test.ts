import { describe, expect, test } from 'vitest';
import { ConfigSchema } from '../../config/index.ts';
import { createPolicyChecks } from './policy-checks.ts';

const check = createPolicyChecks({ lists: ['known', 'telemetry'] });
const problems = (config: object) => check(ConfigSchema.parse(config));
const dev = (settings: object) => ({ agents: { dev: settings } });
const tenant = (settings: object) => ({ tenants: { default: settings } });

describe('policy checks', () => {
  test('a policy that names what exists has no problems', () => {
    const config = {
      permissions: ['deny:Write(/config/**)', 'ask:@deploy', 'ask:@custom:billing', 'allow:http(GET @known)'],
      custom_types: ['custom:billing'],
      network: {
        default: 'ask',
        rules: [
          { host: '@known', action: 'allow' },
          { host: '*.x.example', port: 8443, action: 'allow' },
        ],
      },
      security_contexts: {
        c: { deny_list: ['email.send'], capabilities: [{ tool: 'fs.*', path_allowlist: ['/w'] }] },
      },
      providers: [
        { host: 'ghe.corp.example', provider: 'github' },
        { host: '127.0.0.1:11434', provider: 'ollama' },
      ],
      agents: {
        dev: {
          tools: ['Read', 'mcp:github/*'],
          permissions: ['allow:Bash(git *)', 'ask:Bash'],
          security_context: 'c',
          autonomy: { preset: 'semi', overrides: { deploy: 'human', 'custom:billing': 'deny' } },
        },
      },
      tenants: {
        default: {
          branches: { owned: ['{user}/*', '{agent}/*'], protected: ['main'] },
          exceptions: [
            { github: 'contents' },
            'mcp:github/create_issue',
            'gh(pr create *)',
            { provider: 'linear', paths: ['/graphql'] },
          ],
        },
      },
    };
    expect(problems(config)).toEqual([]);
  });

  test.each([
    {
      config: { permissions: ['deny:Bsh'] },
      path: 'permissions.0',
      message: 'no tool `Bsh`',
      hint: '`Bash`',
      why: 'a tool with a slip',
    },
    {
      config: { permissions: ['allow:http(GET @knwon)'] },
      path: 'permissions.0',
      message: '@knwon',
      hint: '`known`',
      why: 'a list with a slip',
    },
    {
      config: { permissions: ['deny:@deplyo'] },
      path: 'permissions.0',
      message: 'no action type',
      hint: '`deploy`',
      why: 'a category with a slip',
    },
    {
      config: { permissions: ['allow:Bash(x'] },
      path: 'permissions.0',
      message: 'not closed',
      hint: undefined,
      why: 'a rule that cannot be read',
    },
    {
      config: tenant({ permissions: ['deny:Write(/a/**b)'] }),
      path: 'tenants.default.permissions.0',
      message: 'whole path component',
      hint: undefined,
      why: 'a bad glob',
    },
    {
      config: dev({ permissions: ['allow:Read', 'deny:fsx.*'] }),
      path: 'agents.dev.permissions.1',
      message: 'no tool `fsx.*`',
      hint: undefined,
      why: 'an unknown family',
    },
    {
      config: dev({ tools: ['Raed'] }),
      path: 'agents.dev.tools.0',
      message: 'no tool',
      hint: '`Read`',
      why: 'tools',
    },
    {
      config: dev({ disallowed_tools: ['Ba sh'] }),
      path: 'agents.dev.disallowed_tools.0',
      message: 'not the name',
      hint: '`Bash`',
      why: 'disallowed_tools',
    },
    {
      config: dev({ security_context: 'buildr' }),
      path: 'agents.dev.security_context',
      message: 'no security context',
      hint: undefined,
      why: 'a context that is not there',
    },
    {
      config: dev({ autonomy: { preset: 'full', overrides: { deplyo: 'deny' } } }),
      path: 'agents.dev.autonomy.overrides.deplyo',
      message: 'no action type',
      hint: '`deploy`',
      why: 'an override with a slip',
    },
    {
      config: tenant({ autonomy: { preset: 'full', overrides: { x: 'deny' } } }),
      path: 'tenants.default.autonomy.overrides.x',
      message: 'no action type',
      hint: undefined,
      why: 'an override of the tenant',
    },
    {
      config: { security_contexts: { c: { deny_list: ['emial.send'] } } },
      path: 'security_contexts.c.deny_list.0',
      message: 'no tool',
      hint: '`email.send`',
      why: 'deny_list',
    },
    {
      config: { security_contexts: { c: { capabilities: [{ tool: 'fss.*' }] } } },
      path: 'security_contexts.c.capabilities.0.tool',
      message: 'no tool',
      hint: undefined,
      why: 'tool of a capability',
    },
    {
      config: {
        security_contexts: { c: { capabilities: [{ tool: 'web.*', domain_allowlist: ['a.*.b'] }] } },
      },
      path: 'security_contexts.c.capabilities.0.domain_allowlist.0',
      message: 'host pattern',
      hint: undefined,
      why: 'a domain that is none',
    },
    {
      config: { network: { rules: [{ host: 'a/b', action: 'deny' }] } },
      path: 'network.rules.0.host',
      message: 'host pattern',
      hint: undefined,
      why: 'a host that is none',
    },
    {
      config: tenant({ network: { rules: [{ host: '@nope', action: 'deny' }] } }),
      path: 'tenants.default.network.rules.0.host',
      message: '@nope',
      hint: undefined,
      why: 'a list that is not there',
    },
    {
      config: { network: { rules: [{ host: 'x.example', path: '/**a', action: 'deny' }] } },
      path: 'network.rules.0.path',
      message: 'whole path component',
      hint: undefined,
      why: 'a bad path',
    },
    {
      config: { providers: [{ host: 'a b', provider: 'github' }] },
      path: 'providers.0.host',
      message: 'not a host',
      hint: undefined,
      why: 'a provider host',
    },
    {
      config: tenant({ exceptions: ['Bsh(x)'] }),
      path: 'tenants.default.exceptions.0',
      message: 'takes a pattern',
      hint: '`Bash`',
      why: 'an exception that cannot be read',
    },
    {
      config: tenant({ exceptions: [{ provider: 'linear', paths: ['/**x'] }] }),
      path: 'tenants.default.exceptions.0.paths.0',
      message: 'whole path component',
      hint: undefined,
      why: 'a path of an exception',
    },
    {
      config: tenant({ branches: { owned: ['{usr}/*'] } }),
      path: 'tenants.default.branches.owned.0',
      message: 'placeholder',
      hint: undefined,
      why: 'an unknown placeholder',
    },
    {
      config: tenant({ branches: { protected: ['{user}/*'] } }),
      path: 'tenants.default.branches.protected.0',
      message: 'placeholder',
      hint: undefined,
      why: 'a placeholder where none is filled in',
    },
    {
      config: { tenants: { default: { agents: { own: { security_context: 'c' } } } } },
      path: 'tenants.default.agents.own.security_context',
      message: 'no security context',
      hint: undefined,
      why: 'an agent of the tenant',
    },
  ])('$why is an error at its place', ({ config, path, message, hint }) => {
    const found = problems(config);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ severity: 'error', message: expect.stringContaining(message) });
    expect(found[0]?.path.join('.')).toBe(path);
    if (hint !== undefined) expect(found[0]?.hint).toContain(hint);
  });

  test.each([
    { list: ['allow:*', 'deny:Bash(rm *)'], hidden: [1], why: '`*` hides everything behind it' },
    { list: ['allow:*', 'deny:@deploy'], hidden: [1], why: 'types too' },
    { list: ['deny:Bash(rm *)', 'allow:*'], hidden: [], why: 'the right order' },
    { list: ['allow:Bash', 'deny:Bash(rm *)'], hidden: [1], why: 'a tool hides its patterns' },
    { list: ['allow:Bash(git *)', 'deny:Bash(git push *)'], hidden: [1], why: 'a wider pattern' },
    { list: ['allow:Bash(git push *)', 'deny:Bash(git *)'], hidden: [], why: 'a narrower pattern' },
    { list: ['ask:Bash(a)', 'deny:Bash(a)'], hidden: [1], why: 'the same pattern' },
    { list: ['allow:Read', 'deny:Grep(/x/**)'], hidden: [1], why: 'a group hides its members' },
    { list: ['allow:Grep', 'deny:Read'], hidden: [], why: 'a member does not hide its group' },
    { list: ['allow:Write(/a/**)', 'deny:Write(/a/b/*)'], hidden: [1], why: 'a folder hides what is in it' },
    { list: ['allow:Write(/a/**)', 'deny:Write(./a/b)'], hidden: [], why: 'other bases' },
    { list: ['allow:Write(./**)', 'deny:Write(//etc/**)'], hidden: [], why: 'other bases' },
    { list: ['allow:mcp:github/*', 'deny:mcp:github/delete_repo'], hidden: [1], why: 'a server' },
    { list: ['allow:mcp:github/*', 'deny:mcp:gitlab/x'], hidden: [], why: 'another server' },
    {
      list: ['allow:http(GET @known)', 'deny:http(GET github.com)'],
      hidden: [],
      why: 'what is on a list may change',
    },
    {
      list: ['allow:http(* *.x.example)', 'deny:http(GET a.x.example/b)'],
      hidden: [1],
      why: 'wider host, methods and path',
    },
    { list: ['allow:http(GET x.example)', 'deny:http(x.example)'], hidden: [], why: 'one method of all' },
    { list: ['allow:http(x.example:80)', 'deny:http(x.example)'], hidden: [], why: 'one port of all' },
    { list: ['ask:@db', 'deny:@db:admin'], hidden: [1], why: 'a category hides its types' },
    { list: ['ask:@db:admin', 'deny:@db'], hidden: [], why: 'a type does not hide its category' },
  ])('finds rules that are never reached in $list: $why', ({ list, hidden }) => {
    const found = problems({ permissions: list }).map(({ path, message }) => ({ at: path[1], message }));
    expect(found.map(({ at }) => at)).toEqual(hidden);
    for (const { message } of found) expect(message).toContain('never reached');
  });

  test('finds network rules that are never reached', () => {
    const rules = [
      { host: '*.x.example', action: 'allow' },
      { host: 'a.x.example', method: 'POST', action: 'deny' },
      { host: 'x.example', action: 'deny' },
    ];
    expect(problems({ network: { rules } })).toMatchObject([{ path: ['network', 'rules', 1] }]);
  });

  test('[GA-9] ten thousand rules are checked without comparing each with each', () => {
    const permissions = Array.from({ length: 10_000 }, (_, i) => `allow:Bash(tool${i} *)`);
    expect(problems({ permissions: [...permissions, 'deny:Bash(tool5 x)'] })).toMatchObject([
      { path: ['permissions', 10_000] },
    ]);
  });
});

describe('the target of a capability', () => {
  const context = (capability: object) => ({ security_contexts: { c: { capabilities: [capability] } } });
  const AT = 'security_contexts.c.capabilities.0';
  const target = (kind: string) => ({ tool: 'mcp:x/y', target: { arg: 'a', kind } });

  test.each([
    { tool: 'web.fetch', path_allowlist: ['/w'] },
    { tool: 'web.*', path_allowlist: ['/w'] },
    { tool: 'web.search', path_allowlist: ['/w'] },
    { tool: 'Bash', path_allowlist: ['/w'] },
    { tool: 'fs.*', domain_allowlist: ['x.example'] },
    { tool: 'fs.read', account_allowlist: ['a@x.example'] },
    { tool: 'email.*', subcommand_allowlist: { git: ['*'] } },
    { ...target('url'), path_allowlist: ['/w'] },
    { ...target('none'), path_allowlist: ['/w'] },
    { ...target('none'), account_allowlist: ['a@x.example'] },
    { ...target('path'), domain_allowlist: ['x.example'] },
    { ...target('address'), subcommand_allowlist: { git: ['*'] } },
  ])('an allowlist that can have no effect is an error: %j', (capability) => {
    const list = Object.keys(capability).find((key) => key.endsWith('_allowlist'));
    const [found, ...others] = problems(context(capability));
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      severity: 'error',
      message: expect.stringContaining('can have no effect'),
    });
    expect(found?.path.join('.')).toBe(`${AT}.${list}`);
  });

  test.each([
    { tool: 'web.fetch', target: { kind: 'none' } },
    { tool: 'web.*', target: { arg: 'url', kind: 'url' } },
    { tool: 'fs.read', target: { arg: 'path', kind: 'url' } },
    { tool: '*', target: { arg: 'path', kind: 'path' } },
  ])('one that differs from what is built in is an error: %j', (capability) => {
    const [found] = problems(context(capability));
    expect(found).toMatchObject({ severity: 'error', message: expect.stringContaining('is built in') });
    expect(found?.path.join('.')).toBe(`${AT}.target.kind`);
  });

  test.each([
    { tool: 'web.search', target: { arg: 'query', kind: 'none' }, domain_allowlist: ['x.example'] },
    { tool: 'web.*', domain_allowlist: ['x.example'] },
    { tool: 'fs.*', target: { arg: 'path', kind: 'path' }, path_allowlist: ['/w'] },
    { tool: '*', path_allowlist: ['/w'] },
    { tool: 'mcp:x/*', path_allowlist: ['/w'] },
    { ...target('none'), domain_allowlist: ['x.example'] },
    { ...target('path'), path_allowlist: ['/w'] },
    { ...target('command'), subcommand_allowlist: { git: ['*'] }, domain_allowlist: ['x.example'] },
  ])('what can be enforced is no error: %j', (capability) => {
    expect(problems(context(capability))).toEqual([]);
  });

  test('an unknown kind, and one without its argument, do not load', () => {
    for (const wrong of [
      { arg: 'a', kind: 'hostname' },
      { kind: 'path' },
      { arg: '', kind: 'url' },
      { arg: 'a' },
    ])
      expect(() => problems(context({ tool: 'mcp:x/y', target: wrong })), JSON.stringify(wrong)).toThrow();
  });
});
