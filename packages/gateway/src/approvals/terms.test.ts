import { describe, expect, test } from 'vitest';
import { ApprovalsSchema } from '../config/index.ts';
import type { QuestionDraft } from './approval/approval.ts';
import { completeQuestion } from './terms.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const draft = (over: Partial<QuestionDraft> = {}): QuestionDraft => ({
  tenant: 'default',
  actionId: 'act_1',
  binding: 'b',
  fingerprint: 'f',
  actor: { tenant: 'default', chain: [], confinement: 'jailed' },
  door: 'hook',
  tool: 'Bash',
  type: 'deploy:production',
  effect: 'write',
  risk: 'high',
  strength: 'human',
  title: 't',
  preview: 'p',
  reason: { layer: 'mode', reason: 'r' },
  covers: {},
  selfDeclared: false,
  policyRevision: '1',
  blocked: true,
  ...over,
});
const terms = (config: object, over: Partial<QuestionDraft> = {}) => {
  const { expiresInMs, quorum, escalation } = completeQuestion(draft(over), ApprovalsSchema.parse(config));
  return { expiresInMs, quorum, escalation };
};

describe('how long people have', () => {
  test.each([
    { why: 'an hour when nothing is said', config: {}, ms: HOUR },
    { why: 'timeout', config: { timeout: '5m' }, ms: 5 * MINUTE },
    { why: 'a type of its own', config: { timeouts: { 'deploy:production': 'wait' } }, ms: undefined },
    { why: 'a category', config: { timeouts: { deploy: 'wait' } }, ms: undefined },
    {
      why: 'the type goes before its category',
      config: { timeouts: { deploy: 'wait', 'deploy:production': 'deny' } },
      ms: HOUR,
    },
    { why: 'another type changes nothing', config: { timeouts: { 'vcs:push': 'wait' } }, ms: HOUR },
    {
      why: 'deny with a time of its own',
      config: { timeouts: { deploy: { policy: 'deny', after: '2m' } } },
      ms: 2 * MINUTE,
    },
    { why: 'the standard tier of the risk', config: { timeouts: { deploy: 'tiered' } }, ms: 4 * HOUR },
    {
      why: 'a tier of its own',
      config: { timeouts: { deploy: { policy: 'tiered', tiers: { high: '30m' } } } },
      ms: 30 * MINUTE,
    },
    {
      why: 'a tier that is not named keeps its standard',
      config: { timeouts: { deploy: { policy: 'tiered', tiers: { low: '30m' } } } },
      ms: 4 * HOUR,
    },
  ])('$why', ({ config, ms }) => {
    expect(terms(config)).toEqual({ expiresInMs: ms, quorum: 1, escalation: undefined });
  });

  test('what an API client wishes goes first', () => {
    expect(terms({ timeouts: { deploy: 'wait' } }, { expiresInMs: 7 }).expiresInMs).toBe(7);
  });

  test('a chain asks one role after the other, then the answer is no', () => {
    const chain = [
      { role: 'lead', minutes: 10 },
      { role: 'owner', minutes: 20 },
    ];
    expect(terms({ timeouts: { deploy: { policy: 'escalate', chain } } })).toEqual({
      expiresInMs: 30 * MINUTE,
      quorum: 1,
      escalation: [
        { role: 'lead', afterMs: 0 },
        { role: 'owner', afterMs: 10 * MINUTE },
      ],
    });
  });
});

describe('how many people', () => {
  test.each([
    { why: 'the type', types: ['deploy:production'], quorum: 2 },
    { why: 'its category', types: ['deploy'], quorum: 2 },
    { why: 'another type', types: ['db:admin'], quorum: 1 },
  ])('quorum by $why', ({ types, quorum }) => {
    expect(terms({ quorum: { types, of: 2 } }).quorum).toBe(quorum);
  });

  test('one command of a line is enough to need them', () => {
    const over = { type: 'custom:cli', types: ['custom:cli', 'deploy:production'] } as const;
    expect(terms({ quorum: { types: ['deploy:production'], of: 3 } }, over).quorum).toBe(3);
  });
});
