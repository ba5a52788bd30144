import { describe, expect, test } from 'vitest';
import { bash, file, judged, policyOf, short, snapshotOf } from '../gate.fixture.ts';
import { judge } from '../judge.ts';
import { rateLimitsFor } from './rate.ts';

const ALL = { permissions: ['allow:*'] };
const calls = (executionCalls: number) => ({ counters: { executionCalls, windows: new Map() } });

describe('rate', () => {
  test('max_calls_per_execution ends an execution', () => {
    const config = { ...ALL, agents: { dev: { limits: { max_calls_per_execution: 2 } } } };
    expect(judged(config, bash('ls'), calls(1))).toBe('allow');
    expect(judged(config, bash('ls'), calls(2))).toBe('deny RateLimitExceeded');
    expect(judged(config, bash('ls'), calls(Number.NaN))).toBe('deny RateLimitExceeded');
    expect(judged(ALL, bash('ls'), calls(1_000_000))).toBe('allow');
  });

  const policy = policyOf({
    ...ALL,
    security_contexts: {
      c: { capabilities: [{ tool: 'fs.*', rate: { calls: 3, per_seconds: 60 } }, { tool: '*' }] },
    },
    agents: { dev: { security_context: 'c' } },
  });
  const after = (count: number, action = file('fs.read', '/x')) => {
    const [limit] = rateLimitsFor(policy, action);
    const windows = new Map(limit === undefined ? [] : [[limit.key, count]]);
    return short(judge(action, snapshotOf(policy, { counters: { executionCalls: 0, windows } })));
  };

  test('rate.calls is the most calls of that tool in the window', () => {
    expect(after(2)).toBe('allow');
    expect(after(3)).toBe('deny RateLimitExceeded');
    expect(after(3, bash('ls'))).toBe('allow');
  });

  test('rate.per_seconds is the length of the window that admit counts in', () => {
    expect(rateLimitsFor(policy, file('fs.read', '/x'))).toMatchObject([{ calls: 3, windowMs: 60_000 }]);
    expect(rateLimitsFor(policy, bash('ls'))).toEqual([]);
  });

  test('the window belongs to the agent, so that a new session resets nothing', () => {
    const key = (session: string) =>
      rateLimitsFor(policy, file('fs.read', '/x', { actor: { session } })).map((limit) => limit.key);
    expect(key('sess_1')).toEqual(key('sess_2'));
  });
});
