import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { file } from '../../src/gate/gate.fixture.ts';
import { forcePush, push } from '../approvals/actions.ts';
import { dataOf, local, openReview, PROVIDERS, type ReviewFixture, verdict } from './review-fixture.ts';

const validated = (tools: object, more: object = {}): object => ({
  agents: {
    dev: { permissions: ['deny:Bash(rm *)', 'allow:*'], execution: { tool_validation: tools } },
    ...more,
  },
});
const BASH = validated({ Bash: { criteria: 'only runs tests' } });

let review: ReviewFixture;
beforeAll(async () => {
  review = await openReview();
});
afterAll(() => review[Symbol.asyncDispose]());

describe('the semantic judge', () => {
  test.each(PROVIDERS)('%s: a call that passes goes on as the policy says', async (provider) => {
    await review.prepare({ provider, config: BASH, reply: () => verdict('pass') });
    const action = local('make test');
    expect(await review.gate.admit(action)).toMatchObject({ kind: 'allow', by: 'policy' });
    expect((await review.events(action)).map(({ type }) => type)).toEqual([
      'ReviewEvent::JudgePassed',
      'ActionEvent::Judged',
    ]);
    const data = dataOf(review.model.requests[0]);
    expect(data).toMatchObject({ criteria: 'only runs tests', action: { input: { command: 'make test' } } });
  });

  test.each(PROVIDERS)('%s: a call that it refuses is refused, with its reason', async (provider) => {
    await review.prepare({ provider, config: BASH, reply: () => verdict('refuse', 'this is\nno test') });
    const action = local('make deploy');
    expect(await review.gate.admit(action)).toMatchObject({
      kind: 'deny',
      violation: 'SemanticJudgeRefused',
      reason: 'this is no test',
    });
    expect((await review.events(action)).map(({ type }) => type)).toEqual([
      'ReviewEvent::JudgeRefused',
      'MCPToolEvent::ToolPolicyViolation',
    ]);
  });

  test('every call is checked, and tools without criteria are not', async () => {
    await review.prepare({ config: BASH, reply: () => verdict('pass') });
    await review.gate.admit(local());
    await review.gate.admit(local());
    expect(review.model.requests).toHaveLength(2);
    await review.gate.admit(file('Read', '/srv/root/project/a', { id: 'act_read' }));
    expect(review.model.requests).toHaveLength(2);
  });

  test('a name that stands for several tools means all of them, as in a rule', async () => {
    await review.prepare({ config: validated({ Write: { criteria: 'x' } }), reply: () => verdict('refuse') });
    for (const tool of ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']) {
      const action = file(tool, '/srv/root/project/a', { id: `act_${tool}`, binding: tool });
      expect(await review.gate.admit(action)).toMatchObject({ violation: 'SemanticJudgeRefused' });
    }
  });

  test('the model of a tool is asked in the place of the gatekeeper’s', async () => {
    const config = validated({ Bash: { criteria: 'x', model: 'openai-compatible:llama4' } });
    await review.prepare({ config, reply: () => verdict('pass') });
    await review.gate.admit(local());
    expect(review.model.requests[0]?.model).toBe('llama4');
  });

  test('[GA-4] it never answers: what is denied stays denied, and is not sent to it', async () => {
    await review.prepare({ config: BASH, reply: () => verdict('pass') });
    expect(await review.gate.admit(local('rm -r x'))).toMatchObject({ violation: 'RuleDenied' });
    expect(review.model.requests).toEqual([]);
  });

  test('[AP-7] a call that passes and needs a person is still asked', async () => {
    await review.prepare({ config: BASH, reply: () => verdict('pass') });
    for (const action of [push(), forcePush()]) {
      const { question } = await review.asked(action);
      expect(question?.strength).toMatch(/human|each-time/);
    }
  });

  test('it comes before grants: what it refuses uses none up', async () => {
    await review.prepare({ config: BASH, reply: () => verdict('refuse') });
    const action = push({ fingerprint: 'granted' });
    const covers = { kind: 'fingerprint', fingerprint: 'granted' } as const;
    const wanted = { tenant: 'default', agent: 'dev', covers, scope: 'once', createdBy: 'ana' } as const;
    await review.grants.create(wanted, { kind: 'person', user: 'ana', via: 'terminal' });
    expect(await review.gate.admit(action)).toMatchObject({ violation: 'SemanticJudgeRefused' });
    review.model.reply = () => verdict('pass');
    expect(await review.gate.admit(push({ fingerprint: 'granted' }))).toMatchObject({ by: 'grant' });
  });

  test('it comes before people: nobody is asked about what it refuses', async () => {
    await review.prepare({ config: BASH, reply: () => verdict('refuse') });
    expect(await review.gate.admit(push())).toMatchObject({ violation: 'SemanticJudgeRefused' });
    expect(await review.pending()).toEqual([]);
  });

  test('[ID-5] the criteria of an agent hold for whomever it calls', async () => {
    const config = validated({}, { lead: { execution: { tool_validation: { Bash: { criteria: 'x' } } } } });
    await review.prepare({ config, reply: () => verdict('refuse') });
    const actor = { chain: ['lead', 'dev'] };
    expect(await review.gate.admit(local('make', { actor }))).toMatchObject({
      violation: 'SemanticJudgeRefused',
    });
    expect(await review.gate.admit(local('make'))).toMatchObject({ kind: 'allow' });
  });

  test('what a person puts in the place of a call is checked too', async () => {
    await review.prepare({
      config: BASH,
      reply: ({ text }) => verdict(text.includes('git push --mirror') ? 'refuse' : 'pass'),
    });
    const rebuild = (): ReturnType<typeof push> =>
      push({ id: 'act_changed', binding: 'changed', input: { command: 'git push --mirror' } });
    const admitted = review.gate.admit(push(), { rebuild });
    const { id } = await review.question();
    await review.open.delivered();
    expect(await review.chat.reply(id, 'ana-1', '5 git push --mirror')).toMatchObject({ kind: 'decided' });
    expect(await admitted).toMatchObject({ violation: 'SemanticJudgeRefused', approval: id });
  });

  test('a caller that leaves while it thinks is gone, and the action does not run', async () => {
    const leaving = new AbortController();
    await review.prepare({
      config: BASH,
      reply: () => {
        leaving.abort();
        return { hang: true };
      },
    });
    expect(await review.gate.admit(local(), { signal: leaving.signal })).toMatchObject({
      violation: 'ApprovalCancelled',
    });
  });

  test('the whole action is checked where only its beginning had come', async () => {
    await review.prepare({ config: BASH, reply: () => verdict('pass') });
    const whole = local('make everything');
    const part = await review.gate.decide(local('make'), { isPart: true });
    if (part.verdict !== undefined) throw new Error('decided by its beginning');
    await part.finish(whole);
    expect(dataOf(review.model.requests[0])).toMatchObject({
      action: { input: { command: 'make everything' } },
    });
    expect(review.model.requests).toHaveLength(1);
  });
});
