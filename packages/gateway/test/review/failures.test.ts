import { createServer } from 'node:http';
import { SallyportError } from '@sallyport/protocol';
import { closeServer, listenOnFreePort, type ScriptedTurn, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ModelClient, Reviewer, SemanticJudge } from '../../src/approvals/index.ts';
import { Secret } from '../../src/shared/secret.ts';
import { local, openReview, PROVIDERS, type Provider, type ReviewFixture } from './review-fixture.ts';

const GOOD = { risk: 'low', summary: 'fine', reasons: [], verdict: 'pass', reason: 'fine' };

/** An answer that would pass, for whichever task the request is. */
const good = (text: string): Readonly<Record<string, unknown>> =>
  text.includes('"criteria"')
    ? { verdict: GOOD.verdict, reason: GOOD.reason }
    : { risk: GOOD.risk, summary: GOOD.summary, reasons: GOOD.reasons };

interface Failure {
  readonly why: string;
  readonly reply: (text: string, provider: Provider) => ScriptedTurn;
  readonly gatekeeper?: object;
}

const FAILURES: readonly Failure[] = [
  { why: 'a 500', reply: () => ({ status: 500, error: 'overloaded' }) },
  { why: 'a 429', reply: () => ({ status: 429, error: 'slow down' }) },
  { why: 'a 529', reply: () => ({ status: 529, error: 'overloaded_error' }) },
  { why: 'a body that is no JSON', reply: () => ({ raw: '<html>' }) },
  { why: 'a body that is cut off', reply: () => ({ raw: '{"id":"x","choices":[{"mess' }) },
  { why: 'a body of another API', reply: () => ({ raw: '{"ok":true}' }) },
  { why: 'an empty body', reply: () => ({ raw: '' }) },
  { why: 'no text', reply: () => ({ text: '' }) },
  { why: 'text that is no JSON', reply: () => ({ text: 'It is low risk. Approve it.' }) },
  {
    why: 'JSON in a fence',
    reply: (text) => ({ text: `\`\`\`json\n${JSON.stringify(good(text))}\n\`\`\`` }),
  },
  { why: 'words before the JSON', reply: (text) => ({ text: `Sure: ${JSON.stringify(good(text))}` }) },
  {
    why: 'two answers',
    reply: (text) => ({ text: `${JSON.stringify(good(text))}${JSON.stringify(good(text))}` }),
  },
  { why: 'a list', reply: (text) => ({ text: JSON.stringify([good(text)]) }) },
  { why: 'null', reply: () => ({ text: 'null' }) },
  {
    why: 'one word too much',
    reply: (text) => ({ text: JSON.stringify({ ...good(text), approved: true }) }),
  },
  {
    why: 'a prototype',
    reply: (text) => ({ text: JSON.stringify(good(text)).replace('{', '{"__proto__":{},') }),
  },
  {
    why: 'a word that is not on the list',
    reply: (text) => ({
      text: JSON.stringify({
        ...good(text),
        ...(text.includes('"criteria"') ? { verdict: 'Pass' } : { risk: 'Low' }),
      }),
    }),
  },
  {
    why: 'a field that is missing',
    reply: (text) => ({
      text: JSON.stringify(text.includes('"criteria"') ? { verdict: 'pass' } : { risk: 'low', summary: 'x' }),
    }),
  },
  {
    why: 'a text of no end',
    reply: (text) => ({
      text: JSON.stringify(
        text.includes('"criteria"')
          ? { verdict: 'pass', reason: 'x'.repeat(5_000) }
          : { ...good(text), summary: 'x'.repeat(5_000) },
      ),
    }),
  },
  {
    why: 'an answer of two megabytes',
    reply: (text) => ({ text: JSON.stringify(good(text)) + ' '.repeat(2_000_000) }),
  },
  {
    why: 'a refusal, whatever it says',
    reply: (text) => ({ text: JSON.stringify(good(text)), finish: 'refusal' }),
  },
  {
    why: 'an answer that was cut, whatever it says',
    reply: (text) => ({ text: JSON.stringify(good(text)), finish: 'length' }),
  },
  {
    why: 'a call of a tool that nobody offered',
    reply: (text) => ({ toolCalls: [{ name: 'approve', input: good(text) }] }),
  },
  { why: 'silence', reply: () => ({ hang: true }), gatekeeper: { timeout_seconds: 1 } },
  {
    why: 'a key that is not right',
    reply: (text) => ({ text: JSON.stringify(good(text)) }),
    gatekeeper: { api_key: 'env:WRONG' },
  },
  {
    why: 'nobody there',
    reply: (text) => ({ text: JSON.stringify(good(text)) }),
    gatekeeper: { base_url: 'http://127.0.0.1:1/v1' },
  },
];

const JUDGED = {
  agents: {
    dev: { permissions: ['allow:*'], execution: { tool_validation: { Bash: { criteria: 'only tests' } } } },
  },
};

let review: ReviewFixture;
beforeAll(async () => {
  review = await openReview({
    client: {
      readSecret: async (name) => new Secret(name === 'env:WRONG' ? 'sk-wrong' : 'sk-test-9f3b7c1d5e2a4860'),
    },
  });
});
afterAll(() => review[Symbol.asyncDispose]());

describe.each(PROVIDERS)('what a model may do wrong, by %s', (provider) => {
  test.each(FAILURES)('[GA-5] $why: people are asked, without a review', async ({ reply, gatekeeper }) => {
    await review.prepare({
      provider,
      reply: ({ text }) => reply(text, provider),
      gatekeeper: { auto_approve: 'high', ...gatekeeper },
    });
    const action = local();
    const { question } = await review.asked(action);
    expect(question).toMatchObject({ actionId: action.id });
    expect(question?.review).toBeUndefined();
    const events = await review.events(action);
    expect(events[0]).toMatchObject({
      type: 'ReviewEvent::ReviewFailed',
      data: { reason: expect.any(String) },
    });
    expect(review.chat.told).toEqual([]);
  });

  test.each(FAILURES)('[GA-5] $why: the judge refuses', async ({ reply, gatekeeper }) => {
    await review.prepare({
      provider,
      reply: ({ text }) => reply(text, provider),
      config: JUDGED,
      ...(gatekeeper === undefined ? {} : { gatekeeper }),
    });
    const action = local();
    expect(await review.gate.admit(action)).toMatchObject({
      kind: 'deny',
      violation: 'SemanticJudgeUnavailable',
    });
    expect((await review.events(action))[0]).toMatchObject({ type: 'ReviewEvent::JudgeFailed' });
    expect(await review.pending()).toEqual([]);
  });

  test('the answer that all of these spoil passes when it is not spoiled', async () => {
    const reply = ({ text }: { readonly text: string }): ScriptedTurn => ({
      text: JSON.stringify(good(text)),
    });
    await review.prepare({ provider, reply });
    expect(await review.gate.admit(local())).toMatchObject({ kind: 'allow', by: 'review' });
    await review.prepare({ provider, reply, config: JUDGED });
    expect(await review.gate.admit(local())).toMatchObject({ kind: 'allow', by: 'policy' });
  });

  test('neither key nor action follows a redirect', async () => {
    let arrived = 0;
    const elsewhere = createServer((_request, response) => {
      arrived += 1;
      response.end();
    });
    const port = await listenOnFreePort(elsewhere);
    const moved = {
      status: 307,
      error: 'moved',
      headers: { location: `http://127.0.0.1:${port}/v1/messages` },
    };
    await review.prepare({ provider, reply: () => moved });
    expect((await review.asked(local())).question?.review).toBeUndefined();
    expect(arrived).toBe(0);
    await closeServer(elsewhere);
  });
});

describe('what is missing on our side', () => {
  test.each([
    {
      why: 'the SDK cannot be loaded',
      client: { load: () => Promise.reject(new Error('no such file')) },
    },
    {
      why: 'the key cannot be read',
      client: { readSecret: () => Promise.reject(new SallyportError('SecretUnreadable')) },
    },
  ])('[GA-5] $why: people are asked, and the judge refuses', async ({ client }) => {
    await review.prepare();
    const broken = new ModelClient({
      readSecret: async () => new Secret('sk-test-9f3b7c1d5e2a4860'),
      ...client,
    });
    const { redactor, fixture } = review;
    const parts = { settingsOf: review.settings, client: broken, redactor, trail: fixture.trail };
    const reviewer = new Reviewer({ ...parts, onApproved: () => {} });
    const gate = review.gateWith({ reviewer, judge: new SemanticJudge(parts) });
    const leaving = new AbortController();
    const verdict = gate.admit(local(), { signal: leaving.signal });
    expect((await review.question()).review).toBeUndefined();
    leaving.abort();
    await verdict;
    await review.prepare({ config: JUDGED });
    expect(await gate.admit(local())).toMatchObject({ violation: 'SemanticJudgeUnavailable' });
    expect(review.model.requests).toEqual([]);
  });

  test.each([
    { why: 'is too long for a model', input: { command: `make # ${'x'.repeat(70_000)}` } },
    { why: 'shows only the beginning of its body', input: { body: { complete: false, shown: '{"a":' } } },
  ])('[GA-5] an action that $why goes to people, and the judge refuses it', async ({ input }) => {
    await review.prepare();
    expect((await review.asked(local('make', { input }))).question).toBeDefined();
    await review.prepare({ config: JUDGED });
    const verdict = await review.gate.admit(local('make', { input }));
    expect(verdict).toMatchObject({ violation: 'SemanticJudgeUnavailable' });
    expect(review.model.requests).toEqual([]);
  });

  test('[GA-5] a tool with criteria and a gate without a judge: refused', async () => {
    await review.prepare({ config: JUDGED });
    const gate = review.fixture.gateWith({});
    expect(await gate.admit(local())).toMatchObject({ violation: 'SemanticJudgeUnavailable' });
  });

  test('more calls than there are places wait, and those that wait too long go to people', async () => {
    await review.prepare({ reply: () => ({ hang: true }), gatekeeper: { timeout_seconds: 3 } });
    const leaving = new AbortController();
    const all = Array.from({ length: 8 }, () => review.gate.admit(local(), { signal: leaving.signal }));
    await waitUntil('four calls at the model', () => review.model.requests.length >= 4, {
      unless: Promise.race(all),
    });
    // Four at once for a tenant. When their time is over, another may begin just before its own is.
    expect(review.model.requests).toHaveLength(4);
    await waitUntil('eight questions', async () => (await review.pending()).length === 8, {
      unless: Promise.race(all),
    });
    leaving.abort();
    await Promise.all(all);
  });
});
