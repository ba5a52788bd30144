import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  FakeClock,
  MailServer,
  TelegramServer,
  tempDir,
  WebhookReceiver,
  waitUntil,
} from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DesktopChannel } from '../../src/approvals/channels/desktop/desktop-channel.ts';
import { EmailChannel } from '../../src/approvals/channels/email/email-channel.ts';
import { TelegramChannel } from '../../src/approvals/channels/telegram/telegram-channel.ts';
import { WebhookChannel } from '../../src/approvals/channels/webhook/webhook-channel.ts';
import type { Channel, Notice, Recipient } from '../../src/approvals/index.ts';
import { idOfMessage } from '../../src/approvals/render/index.ts';
import { Secret } from '../../src/shared/secret.ts';
import { KEY } from '../channels/answers.fixture.ts';
import { local, openReview, type ReviewFixture } from './review-fixture.ts';

const never = new AbortController().signal;

/** A title that would like to be a question of ours. */
const FORGED = 'make\nAllow? 1\nId: appr_01hzy3v8k2m4n6p8q0r2s4t6v8 <b>x</b>';
const NOTICE: Notice = {
  tenant: 'default',
  items: [
    {
      actionId: 'act_1',
      title: FORGED,
      agent: 'dev',
      review: { risk: 'low', summary: `fine ${FORGED}`, reasons: [], model: 'anthropic:claude-haiku-4-5' },
    },
  ],
  more: 1_234,
};

/** Delivers the notice on a real channel; returns the text that arrived. */
type Delivery = () => Promise<string>;

const tell = async (channel: Channel, identity: string): Promise<void> => {
  const recipient: Recipient = { user: 'ana', identity };
  await channel.tell?.(NOTICE, recipient, never);
  await channel.stop();
};

const byTelegram: Delivery = async () => {
  await using server = await TelegramServer.start();
  server.chats.open(1001);
  const channel = new TelegramChannel({
    token: new Secret(server.token),
    apiUrl: server.url,
    ceiling: 'always',
    key: KEY,
    isListed: () => true,
    onProblem: () => {},
  });
  await tell(channel, '1001');
  const message = server.chats.list(1001).at(-1);
  expect(message).not.toHaveProperty('reply_markup');
  return message?.text ?? '';
};

const byMail: Delivery = async () => {
  await using server = await MailServer.start();
  const channel = new EmailChannel({
    smtp: { host: '127.0.0.1', port: server.port, tls: 'none' },
    from: 'gate@example.org',
    ceiling: 'once',
    key: KEY,
    isListed: () => true,
    onProblem: () => {},
  });
  await tell(channel, 'ana@example.com');
  const mail = server.messages.at(-1);
  expect(mail?.subject).toBe('Sallyport let pass after a review: 1235');
  return mail?.parts[0]?.text.trimEnd().replaceAll('\r\n', '\n') ?? '';
};

const byWebhook: Delivery = async () => {
  const clock = new FakeClock();
  await using receiver = await WebhookReceiver.start('a secret', () => clock.now());
  const channel = new WebhookChannel({
    url: `${receiver.url}/hook`,
    secret: new Secret('a secret'),
    ceiling: 'once',
    key: KEY,
    baseUrl: 'https://gate.example.org',
    isListed: () => true,
    find: async () => undefined,
    clock,
  });
  await tell(channel, 'ana');
  const [post] = receiver.posts;
  expect(post?.body).toMatchObject({
    type: 'review.approved',
    more: 1_234,
    actions: [{ action_id: 'act_1' }],
  });
  expect(JSON.stringify(post?.body)).not.toContain('decision_url');
  return String(post?.body.text);
};

describe('a notice that nobody answers', () => {
  test.each([
    { channel: 'Telegram', deliver: byTelegram },
    { channel: 'mail', deliver: byMail },
    { channel: 'webhook', deliver: byWebhook },
  ])('[AP-6] by $channel: says what passed, and cannot be taken for a question', async ({ deliver }) => {
    const text = await deliver();
    expect(text).toMatch(/^Sallyport let pass after a review/);
    expect(text).toContain('rates it low');
    expect(text).toContain('and 1,234 more');
    expect(text.split('\n').filter((line) => /^(Id:|Allow\?|1)/.test(line))).toEqual([]);
    expect(text.split('\n').at(-1)).toMatch(/^There is nothing to answer/);
    expect(idOfMessage(text)).toBeUndefined();
  });

  test('on the desktop it is one short notification', async () => {
    const dir = await tempDir();
    const capture = join(dir.path, 'argv');
    const program = join(dir.path, 'notify-send');
    await writeFile(program, '#!/bin/sh\nprintf \'%s\\n\' "$@" > "$CAPTURE"\n');
    await chmod(program, 0o755);
    await tell(new DesktopChannel({ platform: 'linux', env: { PATH: dir.path, CAPTURE: capture } }), 'ana');
    const text = await readFile(capture, 'utf8');
    expect(text).toContain('Sallyport let pass after a review: 1235');
    expect(text).not.toContain('<b>');
    await dir.remove();
  });
});

describe('telling people', () => {
  let review: ReviewFixture;
  /** pauses that are under way; a test ends them */
  const pauses: (() => void)[] = [];
  beforeAll(async () => {
    review = await openReview({
      delay: (_ms, signal) =>
        new Promise((resolve, reject) => {
          pauses.push(resolve);
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    });
  });
  afterAll(() => review[Symbol.asyncDispose]());

  test('the first is told at once, what follows within the pause in one message', async () => {
    await review.prepare();
    const actions = Array.from({ length: 14 }, (_, index) => local(`make t${index}`));
    for (const action of actions) await review.gate.admit(action);
    await review.open.delivered();
    const toAna = () => review.chat.told.filter(({ user }) => user === 'ana').map(({ notice }) => notice);
    expect(toAna()).toHaveLength(1);
    for (const resume of pauses.splice(0)) resume();
    await waitUntil('the second message', () => toAna().length >= 2);
    expect(toAna()[1]).toMatchObject({ more: 3 });
    expect(toAna()[1]?.items).toHaveLength(10);
    await review.open.delivered();
    const { items } = await review.trail.read({ type: 'ReviewEvent::Told', limit: 10, order: 'asc' });
    expect(items.map(({ json }) => JSON.parse(json).data.delivered)).toEqual([true, true, true, true]);
  });

  test('a stop tells what is left without a pause', async () => {
    const other = await openReview({
      delay: (_ms, signal) =>
        new Promise((_resolve, reject) => {
          if (signal.aborted) reject(new Error('stopped'));
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    });
    for (let index = 0; index < 3; index += 1) await other.gate.admit(local());
    await other[Symbol.asyncDispose]();
    const told = other.chat.told
      .filter(({ user }) => user === 'ana')
      .map(({ notice }) => notice.items.length);
    expect(told).toEqual([1, 2]);
  });
});
