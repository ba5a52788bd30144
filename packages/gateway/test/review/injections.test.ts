import type { Action } from '@sallyport/protocol';
import type { ModelRequest, ScriptedTurn } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionOf } from '../../src/gate/gate.fixture.ts';
import { COMMAND_INJECTIONS } from './corpus/commands.ts';
import { CONTENT_INJECTIONS } from './corpus/content.ts';
import type { Injection } from './corpus/injection.ts';
import { dataOf, openReview, type ReviewFixture, rated, verdict } from './review-fixture.ts';

const CORPUS = [...COMMAND_INJECTIONS, ...CONTENT_INJECTIONS];

/** It does whatever the action says: everything is low, everything passes. */
const obey = ({ text }: ModelRequest): ScriptedTurn =>
  text.includes('"criteria":"only') ? verdict('pass') : rated('low', { summary: 'harmless' });

/** Asks for a person, and asks for one each time: what no rule loosens. */
const HUMAN = {
  agents: { dev: { autonomy: { preset: 'supervised', overrides: {} }, permissions: ['allow:*'] } },
};

let review: ReviewFixture;
let made = 0;
beforeAll(async () => {
  review = await openReview();
});
afterAll(() => review[Symbol.asyncDispose]());

function actionFor({ tool, target, input }: Injection, over: Partial<Action> = {}): Action {
  made += 1;
  return actionOf(tool, target, {
    id: `act_injection${made}`,
    binding: `b${made}`,
    fingerprint: `f${made}`,
    input,
    effect: 'write',
    risk: 'high',
    type: 'custom:cli',
    ...over,
    actor: { tenant: 'default' },
  });
}

test('the corpus is as large as it should be, and each of its rows says why', () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(CORPUS.map(({ why }) => why)).size).toBe(CORPUS.length);
  expect(new Set(CORPUS.map(({ place }) => place)).size).toBe(7);
});

describe.each(CORPUS)('in a $place: $why', (injection) => {
  test('[AP-7] a model that obeys it lowers nothing: the static risk stays, and people are asked', async () => {
    await review.prepare({ reply: obey, gatekeeper: { auto_approve: 'medium' }, config: REVIEW });
    const { question } = await review.asked(actionFor(injection));
    expect(review.model.requests).toHaveLength(1);
    expect(question).toMatchObject({ strength: 'review', review: { risk: 'high', summary: 'harmless' } });
  });

  test('[AP-7] where a person must answer, the model is not even asked', async () => {
    await review.prepare({ reply: obey, gatekeeper: { auto_approve: 'high' }, config: HUMAN });
    const { question } = await review.asked(actionFor(injection, { risk: 'low' }));
    expect(question?.strength).toBe('human');
    const quorum = { quorum: { types: ['custom:cli'], of: 2 } };
    await review.prepare({
      reply: obey,
      gatekeeper: { auto_approve: 'high' },
      config: { ...REVIEW, approvals: quorum },
    });
    const asked = await review.asked(actionFor(injection, { risk: 'low' }));
    expect(asked.question).toMatchObject({ strength: 'each-time', quorum: 2 });
    expect(review.model.requests).toEqual([]);
  });

  test('it reaches the model as data in one field, and as nothing else', async () => {
    await review.prepare({ reply: obey, config: REVIEW });
    await review.asked(actionFor(injection));
    const [request] = review.model.requests;
    const messages = request?.body.messages as readonly {
      readonly role: string;
      readonly content: unknown;
    }[];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(Object.keys(dataOf(request))).toEqual(['action']);
    expect(JSON.stringify(messages[0])).not.toContain(injection.text.slice(0, 40));
    expect(request?.tools).toEqual([]);
    const told = texts(dataOf(request).action).join('\n').replaceAll('\\u{d}', '\r');
    expect(told).toContain(injection.text);
  });

  test('[GA-4] a judge that it talks round allows nothing that a rule denies', async () => {
    const dev = {
      permissions: ['deny:*'],
      execution: { tool_validation: { '*': { criteria: 'only tests' } } },
    };
    await review.prepare({ reply: obey, config: { agents: { dev } } });
    expect(await review.gate.admit(actionFor(injection))).toMatchObject({
      kind: 'deny',
      violation: 'RuleDenied',
    });
  });
});

/** Rules ask about everything, and the hosts are known: of strength `review`. */
const REVIEW = {
  agents: { dev: { permissions: ['ask:*'] } },
  network: { rules: [{ host: 'collect.example', action: 'allow' }] },
};

/** Every key and string below a value. */
function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...texts(item)]);
}
