import { SallyportError } from '@sallyport/protocol';
import { waitUntil } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../src/shared/secret.ts';
import { push } from './actions.ts';
import { type ApprovalsFixture, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

let chat: FakeChannel;
let mail: FakeChannel;
let fixture: ApprovalsFixture;
const pauses: number[] = [];
beforeEach(async () => {
  pauses.length = 0;
  chat = new FakeChannel('chat');
  mail = new FakeChannel('mail');
  fixture = await openFixture({
    channels: [chat, mail],
    delay: async (ms) => void pauses.push(ms),
  });
});
afterEach(() => fixture[Symbol.asyncDispose]());

const asks = (n: number) =>
  Array.from({ length: n }, (_, i) => fixture.gate.admit(push({ fingerprint: `f${i}`, binding: `b${i}` })));
const notified = async () =>
  (await fixture.trail.read({ type: 'ApprovalEvent::Notified', limit: 100 })).items.map(
    ({ json }) => JSON.parse(json).data,
  );
const shownTo = (channel: FakeChannel, identity: string) =>
  [...channel.messages.values()].filter(
    (message) => message.recipient.identity === identity && message.status === 'pending',
  );
const end = async () => {
  await fixture.open.approvals.withdrawAll();
};

describe('a question', () => {
  test('goes to everyone who may decide, on every channel where they are known', async () => {
    const [verdict] = asks(1);
    const { id } = await fixture.question();
    await waitUntil(
      'the question to reach all five',
      () => chat.messages.size === 3 && mail.messages.size === 2,
    );
    expect([...chat.messages.keys()].toSorted()).toEqual([`${id}/ana-1`, `${id}/bob-1`, `${id}/cem-1`]);
    expect([...mail.messages.keys()].toSorted()).toEqual([`${id}/ana@x`, `${id}/bob@x`]);
    await chat.reply(id, 'cem-1', '1');
    await verdict;
    // Whoever ended it: every message says so.
    const all = () => [...chat.messages.values(), ...mail.messages.values()];
    await waitUntil('every message to say that it is approved', () =>
      all().every(({ status }) => status === 'approved'),
    );
    await waitUntil('five deliveries in the trail', async () => (await notified()).length === 5);
    expect(await notified()).toContainEqual({ channel: 'mail', user: 'bob', delivered: true, attempts: 1 });
  });

  test('is tried again with growing pauses when a channel fails', async () => {
    chat.failing = 2;
    asks(1);
    await waitUntil('three messages', () => chat.messages.size === 3);
    expect(pauses.length).toBe(2);
    expect(chat.attempts).toBe(5);
    await end();
  });

  test('is given up after four tries, and the trail says so', async () => {
    chat.failing = Number.POSITIVE_INFINITY;
    asks(1);
    await waitUntil(
      'three failed deliveries in the trail',
      async () => (await notified()).filter(({ delivered }) => !delivered).length === 3,
    );
    expect(chat.attempts).toBe(12);
    expect(pauses.toSorted((a, b) => a - b)).toEqual([
      500, 500, 500, 2_000, 2_000, 2_000, 8_000, 8_000, 8_000,
    ]);
    expect(mail.messages.size).toBe(2);
    await end();
  });

  test('[CR-1] that fails leaves its reason in the trail, with its causes and without a secret', async () => {
    fixture.redactor.learn(new Secret('123456:bot-token-of-ours'));
    chat.deliver = async () => {
      throw new SallyportError('Unprocessable', {
        message: 'chat not found at /bot123456:bot-token-of-ours/sendMessage',
        cause: new Error(`connect ECONNREFUSED\r\n${'x'.repeat(1_000)}`),
      });
    };
    asks(1);
    await waitUntil('a failed delivery in the trail', async () =>
      (await notified()).some(({ delivered }) => !delivered),
    );
    const told = (await notified()).find(({ delivered }) => !delivered);
    expect(told?.error).toMatch(
      /^chat not found at \/bot\S*redacted\S*\/sendMessage: connect ECONNREFUSED x+…$/i,
    );
    expect(told?.error).not.toContain('bot-token-of-ours');
    expect(told?.error?.length).toBeLessThan(400);
    await end();
  });

  test('waits as long as a service asks for', async () => {
    const deliver = chat.deliver.bind(chat);
    let refused = false;
    chat.deliver = async (approval, recipient) => {
      if (refused) return deliver(approval, recipient);
      refused = true;
      throw new SallyportError('TooManyRequests', { details: { retry_after_seconds: 7 } });
    };
    asks(1);
    await waitUntil('three messages', () => chat.messages.size === 3);
    expect(pauses).toEqual([7_000]);
    await end();
  });

  test('for one person goes to their next channel when the named one fails', async () => {
    chat.failing = Number.POSITIVE_INFINITY;
    const caller = new AbortController();
    const verdict = fixture.gate.admit(push(), { signal: caller.signal });
    const { id: _id, status: _status, ...asked } = await fixture.question();
    caller.abort();
    await verdict;
    await fixture.open.delivered();
    mail.messages.clear();
    const to = { channel: 'chat', target: 'ana-1' };
    const { id } = await fixture.open.approvals.open({ ...asked, blocked: false, expiresInMs: 60_000, to });
    await waitUntil('the mail to ana', () => mail.messages.has(`${id}/ana@x`));
    await fixture.open.delivered();
    expect([...mail.messages.keys()]).toEqual([`${id}/ana@x`]);
  });
});

describe('many questions', () => {
  test('do not flood: ten are shown, the rest is one digest, and they move up', async () => {
    const verdicts = asks(25);
    await waitUntil('25 questions', async () => (await fixture.pending()).length === 25);
    await waitUntil('ten questions in the chat', () => shownTo(chat, 'ana-1').length === 10);
    await fixture.open.delivered();
    expect(shownTo(chat, 'ana-1')).toHaveLength(10);
    expect(chat.digests.at(-1)).toMatchObject({ shown: 10, held: 15, tenant: 'default' });
    for (const message of shownTo(chat, 'ana-1').slice(0, 4))
      await chat.reply(message.approvalId, 'ana-1', '3');
    await waitUntil('ten questions in the chat', () => shownTo(chat, 'ana-1').length === 10);
    await fixture.open.delivered();
    expect([...chat.messages.values()].filter(({ recipient }) => recipient.user === 'ana')).toHaveLength(14);
    await end();
    await Promise.all(verdicts);
    await waitUntil('no question in the chat', () => shownTo(chat, 'ana-1').length === 0);
    await fixture.open.delivered();
    expect(chat.digests.at(-1)).toMatchObject({ held: 0 });
  });

  test('that are the same are one question', async () => {
    const verdicts = Array.from({ length: 50 }, () => fixture.gate.admit(push()));
    await waitUntil('one question in the chat', () => shownTo(chat, 'ana-1').length === 1);
    await fixture.open.delivered();
    expect(await fixture.pending()).toHaveLength(1);
    await end();
    await Promise.all(verdicts);
  });
});
