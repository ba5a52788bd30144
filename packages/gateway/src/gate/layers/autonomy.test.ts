import type { Action, ActionType, Effect, Risk } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { actionOf, bash, fact, judged } from '../gate.fixture.ts';

const does = (type: ActionType, effect: Effect, risk: Risk = 'medium') =>
  actionOf('mcp:x/y', { kind: 'plain' }, { type, effect, risk });
const at = (autonomy: unknown, action: Action, rest: object = {}) =>
  judged({ ...rest, agents: { dev: { autonomy } } }, action);

describe('autonomy', () => {
  test.each([
    { preset: 'full', action: does('vcs:push', 'write', 'high'), expected: 'allow', why: 'all but critical' },
    {
      preset: 'full',
      action: does('deploy:production', 'write', 'critical'),
      expected: 'ask human',
      why: 'critical',
    },
    { preset: 'semi', action: does('vcs:push', 'read', 'low'), expected: 'allow', why: 'a read' },
    { preset: 'semi', action: does('code:write', 'write'), expected: 'allow', why: 'code' },
    { preset: 'semi', action: does('test:run', 'write'), expected: 'allow', why: 'tests' },
    { preset: 'semi', action: does('docs:write', 'write'), expected: 'allow', why: 'docs' },
    { preset: 'semi', action: does('vcs:commit', 'write'), expected: 'ask review', why: 'the rest' },
    { preset: 'semi', action: does('code:delete', 'write', 'high'), expected: 'ask human', why: 'high risk' },
    { preset: 'supervised', action: does('code:read', 'read', 'low'), expected: 'allow', why: 'a read' },
    {
      preset: 'supervised',
      action: does('code:write', 'write', 'low'),
      expected: 'ask human',
      why: 'a write',
    },
    { preset: 'locked', action: does('code:read', 'read', 'low'), expected: 'ask human', why: 'a read' },
    {
      preset: 'locked',
      action: does('code:write', 'write', 'low'),
      expected: 'deny AutonomyLocked',
      why: 'a write',
    },
  ])('$preset, $why: $expected', ({ preset, action, expected }) => {
    expect(at(preset, action)).toBe(expected);
    expect(at({ preset }, action)).toBe(expected);
  });

  test('overrides answer for a type, which goes before its category', () => {
    const overrides = {
      deploy: 'deny',
      'deploy:staging': 'review',
      code: { read: 'human' },
      'vcs:push': 'auto',
    };
    const says = (action: Action) => at({ preset: 'full', overrides }, action);
    expect(says(does('deploy:production', 'write'))).toBe('deny AutonomyLocked');
    expect(says(does('deploy:staging', 'write'))).toBe('ask review');
    expect(says(does('vcs:push', 'write', 'critical'))).toBe('allow');
  });

  test('overrides may differ for reads and writes', () => {
    const says = (override: object, effect: Effect) =>
      at({ preset: 'full', overrides: { code: override } }, does('code:read', effect));
    expect(says({ read: 'human' }, 'read')).toBe('ask human');
    expect(says({ read: 'human' }, 'write')).toBe('allow');
    expect(says({ write: 'deny' }, 'write')).toBe('deny AutonomyLocked');
    expect(says({ write: 'deny' }, 'read')).toBe('allow');
  });

  test('the autonomy of the agent goes before that of the tenant', () => {
    const tenants = { default: { autonomy: 'locked' } };
    expect(judged({ tenants }, does('code:write', 'write'))).toBe('deny AutonomyLocked');
    expect(at('full', does('code:write', 'write'), { tenants })).toBe('allow');
    const overridden = {
      default: { autonomy: { preset: 'full', overrides: { code: { read: 'deny', write: 'human' } } } },
    };
    expect(judged({ tenants: overridden }, does('code:write', 'write'))).toBe('ask human');
    expect(judged({ tenants: overridden }, does('code:read', 'read'))).toBe('deny AutonomyLocked');
    const plain = { default: { autonomy: { preset: 'full', overrides: { code: 'deny' } } } };
    expect(judged({ tenants: plain }, does('code:read', 'read'))).toBe('deny AutonomyLocked');
  });

  test('auto is a last allow rule: it outweighs no ask and no deny of a rule', () => {
    const action = does('code:write', 'write');
    expect(at('full', action, { permissions: ['ask:mcp:x/*'] })).toBe('ask review');
    expect(at('full', action, { permissions: ['deny:mcp:x/*'] })).toBe('deny RuleDenied');
  });

  test('[GA-2] auto never covers a command that cannot be known', () => {
    const unknown = bash([fact('$x', { program: '', unknown: 'a variable', risk: 'low' })]);
    const overrides = { custom: 'auto' };
    expect(at('full', unknown)).toBe('ask human');
    expect(at({ preset: 'full', overrides }, unknown)).toBe('ask review');
    expect(at({ preset: 'full', overrides }, bash([]))).toBe('ask review');
  });

  test('a line is as free as its least free command', () => {
    const line = bash([
      fact('ls'),
      fact('x', { type: 'deploy:production', effect: 'write', risk: 'critical' }),
    ]);
    expect(at('full', line)).toBe('ask human');
  });

  test('the autonomy of an agent that delegates limits the agent that it asks, and gives it nothing', () => {
    const agents = { main: { autonomy: 'supervised' }, dev: { autonomy: 'full' } };
    const action = { ...does('code:write', 'write'), actor: { ...bash('ls').actor, chain: ['main', 'dev'] } };
    expect(judged({ agents }, action)).toBe('ask human');
    expect(judged({ agents: { main: { autonomy: 'full' }, dev: {} } }, action)).toBe('ask review');
  });
});
