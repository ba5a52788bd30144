import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  startTestGateway,
  TelegramServer,
  type TestGateway,
  WebhookReceiver,
  waitFor,
  waitUntil,
} from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ANA = 1001;
const BOB = 1002;
const SECRET = 'signing-secret-of-the-webhook';
const QUESTION = { session_id: 's1', action_type: 'exec_cmd', title: 'Run command', preview: 'git push' };

let telegram: TelegramServer;
let other: TelegramServer;
let receiver: WebhookReceiver;
let gateway: TestGateway;
beforeEach(async () => {
  [telegram, other, receiver] = await Promise.all([
    TelegramServer.start(),
    TelegramServer.start(),
    WebhookReceiver.start(SECRET, Date.now),
  ]);
  for (const server of [telegram, other]) for (const person of [ANA, BOB]) server.chats.open(person);
});
afterEach(async () => {
  await gateway.close();
  for (const server of [telegram, other, receiver]) await server[Symbol.asyncDispose]();
});

const config = (channels: string, identities = `telegram: "${ANA}", webhook: ana`, more = '') => `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users:
      ana: { roles: [owner], identities: { ${identities} } }
      bob: { roles: [owner], identities: { ${more} } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { dev: {} }
channels: { ${channels} }
`;
const bot = (server: TelegramServer, more = '') =>
  `telegram: { token: "file:bot.token", api_url: "${server.url}"${more} }`;
const hook = () => `webhook: { url: "${receiver.url}/q", secret: "env:HOOK" }`;

async function start(channels: string): Promise<void> {
  gateway = await startTestGateway({ env: { HOOK: SECRET }, config: config('') });
  await token(telegram.token);
  await change(config(channels));
}
const token = (value: string) => writeFile(join(gateway.home, 'bot.token'), value, { mode: 0o600 });
interface Problems {
  readonly problems: readonly { readonly key: string; readonly message: string }[];
}
async function change(text?: string): Promise<Problems> {
  if (text !== undefined) await gateway.writeConfig(text);
  const answer = await gateway.operator('/v1/config/reload', { method: 'POST' });
  expect(answer.status).toBe(200);
  return answer.json<{ config: Problems }>().config;
}
async function ask(): Promise<string> {
  const answer = await gateway.agent('/v1/approvals', { token: gateway.apiKey, json: QUESTION });
  expect(answer.status).toBe(201);
  return answer.json<{ approval_id: string }>().approval_id;
}
const statusOf = async (id: string) =>
  (await gateway.agent(`/v1/approvals/${id}`, { token: gateway.apiKey })).json<{ status: string }>().status;
const seen = (server: TelegramServer, person = ANA) => server.chats.list(person);
const asked = (server: TelegramServer, person = ANA) =>
  waitUntil('the question', () => seen(server, person).at(-1));
const problems = async () => (await gateway.operator('/v1/config')).json<Problems>().problems;

test('[CF-1] a channel that is added brings the questions that are open, and its answer decides', async () => {
  await start('');
  const id = await ask();
  await change(config(bot(telegram)));
  const message = await asked(telegram);
  expect(await telegram.press(message, '1 Allow once')).toMatch(/^✅/);
  expect(await statusOf(id)).toBe('approved');
});

test('[CF-1] a channel that is removed hears nothing more; its messages say so, and the question waits elsewhere', async () => {
  await start(`${bot(telegram)}, ${hook()}`);
  const id = await ask();
  const message = await asked(telegram);
  await waitFor('the delivery to the webhook', () => expect(receiver.posts).toHaveLength(1));
  await change(config(hook()));
  expect(seen(telegram).at(-1)).toMatchObject({
    text: expect.stringMatching(/does not hear answers here any more/),
    buttons: [],
  });
  const calls = telegram.calls.length;
  telegram.press(message, '1 Allow once').catch(() => {});
  // Something else happens in between, so that a channel that still listened had its chance.
  const link = new URL(String(receiver.posts[0]?.body['decision_url']));
  const answered = await gateway.operator(`${link.pathname}${link.search}`, {
    method: 'POST',
    json: { code: '3' },
  });
  expect(answered.status).toBe(200);
  expect(await statusOf(id)).toBe('denied');
  expect(telegram.calls).toHaveLength(calls);
  expect(receiver.posts.filter(({ body }) => body['type'] === 'approval.requested')).toHaveLength(1);
});

test('[CF-1] with another account open questions are asked there, once, and whoever waits is not disturbed', async () => {
  await start(bot(telegram));
  const id = await ask();
  await asked(telegram);
  await change(config(bot(other)));
  const message = await asked(other);
  expect(seen(telegram).at(-1)?.text).toMatch(/does not hear answers here any more/);
  expect(await statusOf(id)).toBe('pending');
  expect(await other.press(message, '1 Allow once')).toMatch(/^✅/);
  expect(await statusOf(id)).toBe('approved');
  await waitFor('the end of the question in the other chat', () =>
    expect(seen(other).at(-1)?.text).toMatch(/^✅/),
  );
  expect([seen(telegram).length, seen(other).length]).toEqual([1, 1]);
});

test('[CF-1] a setting of a channel holds for the messages that are there: nothing is sent twice', async () => {
  await start(bot(telegram));
  const id = await ask();
  const message = await asked(telegram);
  await change(config(bot(telegram, ', max: once')));
  const always = message.buttons.find(({ text }) => text.startsWith('6'));
  expect(await telegram.press(message, always?.text ?? '')).toMatch(/may allow once only/);
  expect(await statusOf(id)).toBe('pending');
  expect(await telegram.press(message, '1 Allow once')).toMatch(/^✅/);
  expect(seen(telegram)).toHaveLength(1);
});

test('[CF-1] a token that was replaced at its source is taken, without a word in the config', async () => {
  await start(bot(telegram));
  const id = await ask();
  const message = await asked(telegram);
  telegram.token = '777000:the-new-token-of-the-bot';
  await token(telegram.token);
  // The old one is refused with the next poll, and then its source is looked at again.
  const again = await ask();
  await waitFor('the second message', () => expect(seen(telegram)).toHaveLength(2));
  expect(await telegram.press(message, '1 Allow once')).toMatch(/^✅/);
  expect([await statusOf(id), await statusOf(again)]).toEqual(['approved', 'pending']);
  await waitFor('no problems', async () => expect(await problems()).toEqual([]));
});

test('[CF-1] a channel that cannot be opened, or is turned away, is named by `status`; the others go on', async () => {
  await start(hook());
  const unreadable = `telegram: { token: "env:NOT_SET", api_url: "${telegram.url}" }`;
  expect((await change(config(`${hook()}, ${unreadable}`))).problems).toEqual([
    expect.objectContaining({ key: 'channels.telegram', message: 'variable `NOT_SET` is not set' }),
  ]);
  await ask();
  await waitFor('the delivery to the webhook', () => expect(receiver.posts).toHaveLength(1));

  await token('777000:not-the-token');
  await change(config(`${hook()}, ${bot(telegram)}`));
  await waitFor('the problem of Telegram', async () =>
    expect(await problems()).toEqual([expect.objectContaining({ key: 'channels.telegram' })]),
  );
  expect(JSON.stringify(await problems())).not.toContain('not-the-token');
  await token(telegram.token);
  await change();
  await asked(telegram);
  await waitFor('no problems', async () => expect(await problems()).toEqual([]));
});

test('[CF-1] of many changes in a row the last one holds, with one listener, and each question stands there once', async () => {
  await start(bot(telegram));
  const id = await ask();
  for (let round = 0; round < 6; round += 1) {
    await gateway.writeConfig(config(round % 2 === 0 ? bot(other) : bot(telegram, ', max: session')));
    // Not waited for: the next change comes while this one is carried out.
    void gateway.operator('/v1/config/reload', { method: 'POST' });
  }
  await change(config(bot(other, ', max: once')));
  await waitFor('one open question', () => expect(open(other)).toHaveLength(1));
  const [message] = open(other);
  if (message === undefined) throw new Error('nobody was asked');
  expect(await other.press(message, '1 Allow once')).toMatch(/^✅/);
  expect(await statusOf(id)).toBe('approved');
  expect(open(telegram)).toEqual([]);
  // Two pollers of one bot are told so by Telegram.
  expect([...telegram.calls, ...other.calls].filter(({ status }) => status === 409)).toEqual([]);
});

const open = (server: TelegramServer) => seen(server).filter(({ buttons }) => buttons.length > 0);
const callsOf = (server: TelegramServer, wanted: string) =>
  server.calls.filter(({ method }) => method === wanted).length;

test.each([
  ['a message that could not be told that nobody hears it', 'edit'],
  ['a message that arrived when its place was closed', 'send'],
])('[CF-1] %s does not stand beside the new one when the place is open again', async (_, slow) => {
  await start(bot(telegram));
  const release = slow === 'send' ? telegram.holdNext('sendMessage') : () => {};
  await ask();
  if (slow === 'send') await waitFor('the call', () => expect(callsOf(telegram, 'sendMessage')).toBe(1));
  else await asked(telegram);
  if (slow === 'edit') telegram.limitNext('editMessageText', 30);
  await change(config(bot(other)));
  await asked(other);
  await change(config(bot(telegram)));
  await waitFor('the question again', () => expect(open(telegram).length).toBeGreaterThan(0));
  release();
  await waitFor('both messages, one of them closed', () => {
    expect(seen(telegram)).toHaveLength(2);
    expect(open(telegram)).toHaveLength(1);
  });
  expect(await telegram.press(open(telegram)[0] as never, '1 Allow once')).toMatch(/^✅/);
});

test('[CF-1] somebody who is listed now is asked what is open', async () => {
  await start(bot(telegram));
  await ask();
  await asked(telegram);
  await change(config(bot(telegram), undefined, `telegram: "${BOB}"`));
  await asked(telegram, BOB);
  expect(seen(telegram)).toHaveLength(1);
});
