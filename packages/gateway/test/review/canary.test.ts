import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { http } from '../../src/gate/gate.fixture.ts';
import { Secret } from '../../src/shared/secret.ts';
import {
  dataOf,
  local,
  openReview,
  PROVIDERS,
  type ReviewFixture,
  rated,
  verdict,
} from './review-fixture.ts';

const CANARY = 'canary-7Zk3-Qp9x-secret-value';
const FORMS = [
  CANARY,
  Buffer.from(CANARY).toString('base64'),
  encodeURIComponent(CANARY),
  Buffer.from(CANARY).toString('hex'),
];
const CONFIG = {
  agents: { dev: { permissions: ['ask:*'], execution: { tool_validation: { '*': { criteria: 'x' } } } } },
  network: { rules: [{ host: 'api.example', action: 'allow' }] },
};

let review: ReviewFixture;
beforeAll(async () => {
  review = await openReview();
  review.redactor.learn(new Secret(CANARY));
});
afterAll(() => review[Symbol.asyncDispose]());

const ACTIONS = [
  { why: 'in a command', action: () => local(`curl -H "x: ${CANARY}" api.example`) },
  { why: 'in base64', action: () => local(`echo ${FORMS[1]} | base64 -d`) },
  { why: 'in hex', action: () => local(`echo ${FORMS[3]} | xxd -r -p`) },
  { why: 'as a key', action: () => local('make', { input: { [CANARY]: 'x', command: 'make' } }) },
  { why: 'deep in the input', action: () => local('make', { input: { a: [{ b: { c: `x${CANARY}y` } }] } }) },
  {
    why: 'in a URL, a header and a body',
    action: () =>
      http(
        `POST api.example/${CANARY}`,
        {},
        {
          id: local().id,
          effect: 'read',
          reach: 'workspace',
          input: {
            url: `https://api.example/${CANARY}?k=${FORMS[2]}`,
            headers: [['x-key', CANARY]],
            body: JSON.stringify({ token: CANARY }),
          },
        },
      ),
  },
];

describe.each(PROVIDERS)('no secret reaches the model, by %s', (provider) => {
  test.each(ACTIONS)('[CR-1] $why', async ({ action: make }) => {
    await review.prepare({
      provider,
      config: CONFIG,
      reply: ({ text }) => (text.includes('"criteria"') ? verdict('pass') : rated('high')),
    });
    const action = make();
    await review.asked(action);
    expect(review.model.requests).toHaveLength(2);
    for (const { raw } of review.model.requests) {
      for (const form of FORMS) expect(raw).not.toContain(form);
      expect(raw).toContain('[redacted]');
    }
    const events = await review.events(action);
    const own = events.filter(({ type }) => type.startsWith('ReviewEvent::'));
    expect(own).toHaveLength(2);
    for (const { json } of own) for (const form of FORMS) expect(json).not.toContain(form);
  });
});

describe('what is hidden arrives spelled out', () => {
  test.each([
    {
      why: 'characters that no font draws',
      text: 'make\u{e0069}\u{e0067}\u{e006e}',
      shown: '\\u{e0069}\\u{e0067}',
    },
    { why: 'zero width', text: 'ma\u200bke', shown: 'ma\\u{200b}ke' },
    { why: 'a change of direction', text: 'make \u202etset', shown: '\\u{202e}tset' },
    { why: 'half of a character', text: 'make \ud800', shown: 'make \\u{d800}' },
  ])('$why', async ({ text, shown }) => {
    await review.prepare();
    await review.asked(local(text));
    const { action } = dataOf(review.model.requests[0]) as {
      readonly action: { readonly input: { readonly command: string } };
    };
    expect(action.input.command).toContain(shown);
  });
});
