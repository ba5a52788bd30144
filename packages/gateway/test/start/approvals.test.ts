import {
  httpClient,
  startTestGateway,
  TelegramServer,
  type TestGateway,
  WebhookReceiver,
  waitFor,
} from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';

const ANA = 1001;
const SECRET = 'a secret that both ends know';
const QUESTION = { session_id: 's1', action_type: 'exec_cmd', title: 'Run command', preview: 'git push' };

let telegram: TelegramServer;
let receiver: WebhookReceiver;
let gateway: TestGateway;

beforeEach(async () => {
  telegram = await TelegramServer.start();
  telegram.chats.open(ANA);
  receiver = await WebhookReceiver.start(SECRET, Date.now);
  gateway = await startTestGateway({
    env: { TG: telegram.token, HOOK: SECRET },
    config: `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [owner], identities: { telegram: "${ANA}", webhook: "ana at work" } } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { dev: {} }
channels:
  telegram: { token: "env:TG", api_url: "${telegram.url}" }
  webhook: { url: "${receiver.url}/hook", secret: "env:HOOK" }
`,
  });
});
afterEach(async () => {
  await gateway.close();
  await telegram[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const ask = async (): Promise<string> => {
  const answer = await gateway.agent('/v1/approvals', { token: gateway.apiKey, json: QUESTION });
  expect(answer.status).toBe(201);
  await waitFor('the question in Telegram', () => expect(telegram.chats.list(ANA).length).toBeGreaterThan(0));
  await waitFor('the question at the webhook', () => expect(receiver.posts.length).toBeGreaterThan(0));
  return answer.json<{ approval_id: string }>().approval_id;
};
const state = async (id: string) =>
  (await gateway.agent(`/v1/approvals/${id}`, { token: gateway.apiKey })).json();
const link = (): URL => new URL(String(receiver.posts[0]?.body.decision_url));

test('a question of an API client reaches a person on the channels of the config, and a button releases it', async () => {
  const id = await ask();
  const waiting = gateway.agent(`/v1/approvals/${id}?wait=30`, { token: gateway.apiKey });
  expect(await telegram.press(telegram.chats.list(ANA).at(-1)!, '1 Allow once')).toMatch(/^✅/);
  expect((await waiting).json()).toMatchObject({ status: 'approved', decision: { code: '1' } });
});

test('[AP-5] a decision link shows the question to whoever opens it, and decides by POST only', async () => {
  const id = await ask();
  const url = link();
  const page = httpClient({ url: url.href });
  const opened = await page(`${url.pathname}${url.search}`);
  expect(opened.status).toBe(200);
  expect(opened.text).toContain('git push');
  expect(await state(id)).toMatchObject({ status: 'pending' });

  const wrong = await page(`${url.pathname}?who=ana+at+work&key=nope`, {
    method: 'POST',
    json: { code: '1' },
  });
  expect(wrong.status).toBeGreaterThanOrEqual(400);
  expect(await state(id)).toMatchObject({ status: 'pending' });

  const decided = await page(`${url.pathname}${url.search}`, {
    body: 'code=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(decided.status).toBe(200);
  expect(await state(id)).toMatchObject({ status: 'approved', decision: { code: '1' } });
});

test('a form is taken for an answer nowhere else', async () => {
  const answer = await gateway.operator('/v1/stop', {
    body: 'now=true',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(answer.status).toBe(415);
});

test('the kill switch withdraws what waits for people', async () => {
  const id = await ask();
  await gateway.killNow();
  await waitFor('the end of the question in Telegram', () =>
    expect(telegram.chats.list(ANA).at(-1)?.text).toMatch(/withdrawn|cancel|no longer/i),
  );
  expect(id).toMatch(/^appr_/);
});

test('[AP-2] neither the API key nor a session token decides, on any side', async () => {
  const id = await ask();
  const { session_token: session } = await gateway.openSession();
  for (const token of [gateway.apiKey, session, gateway.inboxSecret]) {
    const operator = await gateway.operator(`/v1/approvals/${id}/decision`, { token, json: { code: '1' } });
    expect(operator.status).toBe(401);
    const agent = await gateway.agent(`/v1/approvals/${id}/decision`, { token, json: { code: '1' } });
    expect(agent.status).toBe(404);
  }
  expect(await state(id)).toMatchObject({ status: 'pending' });
});
