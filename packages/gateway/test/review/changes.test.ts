import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { local, openReview, type ReviewFixture, rated, verdict } from './review-fixture.ts';

const judged = (criteria: string, permissions = ['allow:*']): object => ({
  agents: { dev: { permissions, execution: { tool_validation: { Bash: { criteria } } } } },
});

let review: ReviewFixture;
beforeAll(async () => {
  review = await openReview();
});
afterAll(() => review[Symbol.asyncDispose]());

/** The model answers low, after the world has changed. */
function meanwhile(change: () => void): () => ReturnType<typeof rated> {
  return () => {
    change();
    return rated('low');
  };
}

describe('what changes while a model thinks wins', () => {
  test('[AP-9] a deny', async () => {
    const reply = meanwhile(() => review.setPolicy({ agents: { dev: { permissions: ['deny:*'] } } }));
    await review.prepare({ reply });
    expect(await review.gate.admit(local())).toMatchObject({ kind: 'deny', violation: 'RuleDenied' });
    await review.open.delivered();
    expect(review.chat.told).toEqual([]);
  });

  test('[AP-9] an ask that only a person may answer; the person sees the review all the same', async () => {
    const dev = { permissions: ['allow:*'], autonomy: 'supervised' };
    const reply = meanwhile(() => review.setPolicy({ agents: { dev } }));
    await review.prepare({ reply });
    const { question } = await review.asked(local('make', { effect: 'write' }));
    expect(question).toMatchObject({ strength: 'human', review: { risk: 'low' } });
  });

  test('[AP-9] a quorum', async () => {
    const approvals = { quorum: { types: ['custom:cli'], of: 2 } };
    const asking = { agents: { dev: { permissions: ['ask:*'] } }, approvals };
    await review.prepare({ reply: meanwhile(() => review.setPolicy(asking)) });
    expect((await review.asked(local())).question?.quorum).toBe(2);
  });

  test('[AP-9] an allow needs no review', async () => {
    const reply = meanwhile(() => review.setPolicy({ agents: { dev: { permissions: ['allow:*'] } } }));
    await review.prepare({ reply });
    expect(await review.gate.admit(local())).toMatchObject({ kind: 'allow', by: 'policy' });
  });

  test.each([
    { why: 'a lower threshold', over: { auto_approve: 'none' } },
    { why: 'another model', over: { model: 'openai-compatible:other' } },
    { why: 'no gatekeeper any more', over: undefined },
  ])('[AP-9] $why', async ({ over }) => {
    await review.prepare({ reply: meanwhile(() => review.set(over)) });
    expect((await review.asked(local())).question).toBeDefined();
    expect(review.chat.told).toEqual([]);
  });

  test('[AP-9] a deny, while the judge lets the call pass', async () => {
    const reply = () => {
      review.setPolicy(judged('x', ['deny:*']));
      return verdict('pass');
    };
    await review.prepare({ config: judged('x'), reply });
    expect(await review.gate.admit(local())).toMatchObject({ violation: 'RuleDenied' });
  });

  test('[AP-9] other criteria: the call is checked against those too', async () => {
    await review.prepare({
      config: judged('the old ones'),
      reply: ({ text }) => {
        if (text.includes('the new ones')) return verdict('refuse');
        review.setPolicy(judged('the new ones'));
        return verdict('pass');
      },
    });
    expect(await review.gate.admit(local())).toMatchObject({ violation: 'SemanticJudgeRefused' });
    expect(review.model.requests).toHaveLength(2);
  });

  test('[GA-5] a verdict of the reviewer that cannot be recorded is none', async () => {
    await review.prepare();
    const down = () => Promise.reject(new Error('the disk is full'));
    const trail = { append: down, note: () => {} };
    const verdictThen = await review.gateWith({ trail }).admit(local('make', { effect: 'write' }));
    expect(verdictThen).toMatchObject({ kind: 'deny', violation: 'AuditUnavailable' });
    await review.open.delivered();
    expect(review.chat.told).toEqual([]);
  });
});
