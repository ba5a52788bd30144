import { describe, expect, test } from 'vitest';
import { actionOf, bash, file, http, judged, mcp, policyOf, short, snapshotOf } from '../gate.fixture.ts';
import { judge } from '../judge.ts';
import { isVisible } from '../tools-of-actor.ts';

const session = { kind: 'session', alive: true, expiresAt: 2_000, rights: { permitted: true } } as const;
const ALL = { agents: { dev: { permissions: ['allow:*'] } } };

describe('identity', () => {
  test.each([
    { identity: session, expected: 'allow', why: 'alive, with rights' },
    { identity: { kind: 'none' }, expected: 'deny NotAuthenticated', why: 'nobody' },
    { identity: { ...session, alive: false }, expected: 'deny NotAuthenticated', why: 'ended' },
    {
      identity: { ...session, expiresAt: 1_000 },
      expected: 'deny NotAuthenticated',
      why: 'expired this moment',
    },
    {
      identity: { ...session, expiresAt: Number.NaN },
      expected: 'deny NotAuthenticated',
      why: 'no expiry is expired',
    },
    {
      identity: { ...session, rights: { permitted: false, reason: 'no role' } },
      expected: 'deny NotPermitted',
      why: 'no rights',
    },
    {
      identity: { kind: 'client', active: true },
      expected: 'deny NotPermitted',
      why: 'an API key at another door',
    },
  ] as const)('$expected when $why', ({ identity, expected }) => {
    expect(judged(ALL, bash('ls'), { identity })).toBe(expected);
  });

  test.each([
    { actor: { tenant: 'other' }, why: 'another tenant' },
    { actor: { agent: 'ghost', chain: ['ghost'] }, why: 'an agent that is not configured' },
    { actor: { chain: ['ghost', 'dev'] }, why: 'an unknown agent in the chain' },
  ])('NotPermitted for $why', ({ actor }) => {
    expect(judged(ALL, bash('ls', { actor }))).toBe('deny NotPermitted');
  });

  test('a session without an agent may nothing', () => {
    const action = bash('ls');
    const { agent: _agent, ...actor } = action.actor;
    const judgement = judge({ ...action, actor: { ...actor, chain: [] } }, snapshotOf(policyOf(ALL)));
    expect(short(judgement)).toBe('deny NotPermitted');
  });

  test('an API client is asked about at its own door, whatever the rules allow', () => {
    const action = actionOf('exec_cmd', { kind: 'plain' }, { door: 'api', type: 'exec_cmd' });
    const { agent: _agent, session: _session, ...actor } = action.actor;
    const asked = { ...action, actor: { ...actor, client: 'c', chain: [] } };
    const judgeAs = (active: boolean, config: object) =>
      short(judge(asked, snapshotOf(policyOf(config), { identity: { kind: 'client', active } })));
    expect(judgeAs(true, { permissions: ['allow:*'] })).toBe('ask human');
    expect(judgeAs(true, { permissions: ['deny:@exec_cmd'] })).toBe('deny RuleDenied');
    expect(judgeAs(false, { permissions: ['allow:*'] })).toBe('deny NotAuthenticated');
  });
});

describe('visibility', () => {
  const withAgent = (dev: object, rest: object = {}) => ({
    ...rest,
    permissions: ['allow:*'],
    agents: { dev },
  });

  test('tools is the list of what the agent sees: absent all, empty none', () => {
    const only = withAgent({ tools: ['Read', 'mcp:github/*'] });
    expect(judged(withAgent({}), bash('ls'))).toBe('allow');
    expect(judged(withAgent({ tools: [] }), bash('ls'))).toBe('deny ToolNotAllowed');
    expect(judged(only, bash('ls'))).toBe('deny ToolNotAllowed');
    expect(judged(only, file('Grep', '/srv/root/x'))).toBe('allow');
    expect(judged(only, mcp('github', 'get_me'))).toBe('allow');
    expect(judged(only, mcp('githubx', 'get_me'))).toBe('deny ToolNotAllowed');
  });

  test('disallowed_tools are refused, also through delegation', () => {
    expect(judged(withAgent({ disallowed_tools: ['Bash'] }), bash('ls'))).toBe('deny ToolExplicitlyDenied');
    const agents = { main: { disallowed_tools: ['Bash'] }, dev: {} };
    const action = bash('ls', { actor: { chain: ['main', 'dev'] } });
    expect(judged({ permissions: ['allow:*'], agents }, action)).toBe('deny ToolExplicitlyDenied');
  });

  test('the deny_list of a security context is refused', () => {
    const contexts = { security_contexts: { safe: { deny_list: ['email.*'] } } };
    const send = actionOf('email.send', { kind: 'address', addresses: ['a@b.example'] });
    expect(judged(withAgent({ security_context: 'safe' }, contexts), send)).toBe('deny ToolExplicitlyDenied');
    expect(judged(withAgent({}, contexts), send)).toBe('allow');
  });

  test('the tool of a capability opens that tool and no other', () => {
    const at = (capabilities: object[]) =>
      withAgent({ security_context: 'c' }, { security_contexts: { c: { capabilities } } });
    expect(judged(at([{ tool: 'fs.*' }]), file('fs.read', '/x'))).toBe('allow');
    expect(judged(at([{ tool: 'fs.*' }]), actionOf('fsx.read', { kind: 'plain' }))).toBe(
      'deny ToolNotAllowed',
    );
    expect(judged(at([]), file('fs.read', '/x'))).toBe('deny ToolNotAllowed');
  });

  test('a security context of the tenant goes before one of the top level', () => {
    const config = withAgent(
      { security_context: 'c' },
      {
        security_contexts: { c: {} },
        tenants: { default: { security_contexts: { c: { deny_list: ['Bash'] } } } },
      },
    );
    expect(judged(config, bash('ls'))).toBe('deny ToolExplicitlyDenied');
  });

  test.each([
    { rules: ['deny:Bash'], shown: false, why: 'every call is denied' },
    { rules: ['deny:*'], shown: false, why: 'every call of every tool is denied' },
    { rules: ['allow:Bash', 'deny:*'], shown: true, why: 'the first rule allows' },
    { rules: ['allow:Bash(git *)', 'deny:Bash'], shown: true, why: 'some calls are allowed' },
    {
      rules: ['allow:gh(pr list *)', 'deny:Bash'],
      shown: true,
      why: 'a command of it is allowed by its program',
    },
    { rules: ['deny:Bash(rm *)', 'deny:Bash'], shown: false, why: 'nothing before it allows anything' },
    { rules: ['deny:Bash(rm *)', 'allow:*'], shown: true, why: 'only some calls are denied' },
    { rules: ['allow:@vcs', 'deny:*'], shown: true, why: 'a call of that type may be allowed' },
    { rules: ['deny:@deploy', 'allow:*'], shown: true, why: 'only some calls are denied' },
    { rules: ['ask:Bash', 'deny:*'], shown: true, why: 'people may allow it' },
    { rules: ['deny:Read'], shown: true, why: 'another tool' },
    { rules: [], shown: true, why: 'no rule' },
  ])('[TO-1] a tool is listed unless rules deny each of its calls: $why', ({ rules, shown }) => {
    const { actor } = bash('ls');
    const own = policyOf(withAgent({ permissions: rules }));
    expect(isVisible(own, actor, 'Bash')).toBe(shown);
    const top = policyOf({ permissions: rules, agents: { dev: { permissions: ['allow:*'] } } });
    expect(isVisible(top, actor, 'Bash')).toBe(shown);
    // What is hidden is what would be refused.
    if (!shown) expect(short(judge(bash('ls'), snapshotOf(own)))).toBe('deny RuleDenied');
  });

  test('what the proxy makes is not a tool call: no list of tools hides it', () => {
    const config = { ...withAgent({ tools: [] }), network: { default: 'allow' } };
    expect(judged(config, http('GET api.github.com/'))).toBe('allow');
  });

  test('a tool that no router knows is not found, before anyone is asked', () => {
    expect(judged({}, mcp('x', 'y'), { toolKnown: false })).toBe('deny ToolNotFound');
  });
});
