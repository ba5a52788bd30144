import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeClock, startTestGateway, TelegramServer, type TestGateway, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  CALLBACK,
  decide,
  events,
  onlyQuestion,
  Program,
  questions,
  registerClient,
  startOAuth,
} from './oauth-fixture.ts';

let gateway: TestGateway;
let program: Program;
beforeEach(async () => {
  // It stands still: how much a minute may hold does not depend on how fast this machine is.
  gateway = await startOAuth({}, { clock: new FakeClock(Date.now()) });
  program = await Program.register(gateway);
});
afterEach(() => gateway.close());

describe('the question', () => {
  test('[AP-1] shows who, as whom, where to, and the code that the browser shows', async () => {
    const page = await program.begin();
    const question = await onlyQuestion(gateway);
    const [, code] = /Code: ([A-Z]{4}-[A-Z]{4})/.exec(question.preview) ?? [];
    const waiting = await gateway.agent(page);
    expect(waiting.text).toContain(`<b>${code}</b>`);
    expect(waiting.text).toContain('sallyport watch');
    for (const part of ['"Test Program"', '`dev`', '`ana`', CALLBACK, '127.0.0.1', program.resource])
      expect(question.preview).toContain(part);
    // In a list of several, the line of each tells which it is.
    expect(question.title).toBe(`mcp.connect: a program with the code ${code} as the agent dev`);
    expect(question).toMatchObject({ strength: 'each-time', self_declared: false });
  });

  test('two requests are two questions with two codes: a yes to one lets the other wait', async () => {
    const [mine, foreign] = [await program.begin(), await program.begin()];
    const both = await waitFor('two questions', async () => {
      const found = await questions(gateway);
      expect(found).toHaveLength(2);
      return found;
    });
    const shown = /<b>([A-Z]{4}-[A-Z]{4})<\/b>/.exec((await gateway.agent(mine)).text)?.[1] ?? '';
    const own = both.find(({ preview }) => preview.includes(shown));
    await decide(gateway, own?.id ?? '', { code: '1' });
    expect((await program.answered(mine)).searchParams.has('code')).toBe(true);
    expect((await gateway.agent(foreign)).status).toBe(200);
  });

  test('[AP-6] markup, quotes and false lines in a name stay a name, in the page and in the question', async () => {
    const name = '<script>alert(1)</script>" Code: BBBB-BBBB';
    const hostile = await Program.register(gateway, { client_name: name });
    const page = await hostile.begin({ state: '"><script>alert(2)</script>' });
    const { text } = await gateway.agent(page);
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;');
    const { preview } = await onlyQuestion(gateway);
    expect(preview.split('\n').filter((line) => line.startsWith('Code: '))).toHaveLength(1);
    expect(preview).toContain(JSON.stringify(name));
  });

  test('[AP-2] a person says no: the program hears `access_denied`, once', async () => {
    const page = await program.begin();
    await decide(gateway, (await onlyQuestion(gateway)).id, { code: '3' });
    const back = await program.answered(page);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 'st4te' });
    expect(back.searchParams.has('code')).toBe(false);
    expect((await gateway.agent(page)).status).toBe(404);
  });

  test('[AP-7] no standing answer is taken: not for the session, not for minutes, not for good', async () => {
    await program.begin();
    const { id, client_id } = await onlyQuestion(gateway);
    expect(client_id).toMatch(/^oauth-[0-9a-f]{12}$/);
    for (const decision of [{ code: '2' }, { code: '6' }, { code: '1', minutes: 15 }]) {
      const answer = await gateway.operator(`/v1/approvals/${id}/decision`, { json: decision });
      expect(answer.status, JSON.stringify(decision)).not.toBe(200);
    }
    expect(await questions(gateway)).toHaveLength(1);
  });

  test('[AP-7] a yes is for one request: the same program is asked about again', async () => {
    await program.tokens();
    await program.begin();
    await onlyQuestion(gateway);
  });

  test('a rule that forbids it is enough: nobody is asked', async () => {
    await gateway.close();
    gateway = await startOAuth({ permissions: ['deny:@custom:connect', 'allow:*'] });
    program = await Program.register(gateway);
    const back = await program.answered(await program.begin());
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(await questions(gateway)).toEqual([]);
  });

  test('[AP-7] no rule allows it', async () => {
    await gateway.close();
    gateway = await startOAuth({ permissions: ['allow:@custom:connect', 'allow:*'] });
    program = await Program.register(gateway);
    const page = await program.begin();
    await onlyQuestion(gateway);
    expect((await gateway.agent(page)).status).toBe(200);
  });
});

describe('[AP-3] on a channel', () => {
  const ANA = 1001;
  const start = async (credentials: string): Promise<TelegramServer> => {
    const telegram = await TelegramServer.start();
    onTestFinished(() => telegram[Symbol.asyncDispose]());
    telegram.chats.open(ANA);
    await gateway.close();
    gateway = await startTestGateway({
      env: { TG: telegram.token, KEY: 'k' },
      config: `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [owner], identities: { telegram: "${ANA}" } } }
    credentials: ${credentials}
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { dev: {}, bot: { credentials: [tg] } }
channels: { telegram: { token: "env:TG", api_url: "${telegram.url}" } }
`,
    });
    program = await Program.register(gateway);
    return telegram;
  };

  test('that no agent can write to, a button lets the program in', async () => {
    const telegram = await start('{ tg: { kind: bearer, source: "env:KEY", hosts: [api.example.com] } }');
    const page = await program.begin();
    await waitFor('the question in Telegram', () => expect(telegram.chats.list(ANA)).toHaveLength(1));
    expect(await telegram.press(telegram.chats.list(ANA).at(-1)!, '1 Allow once')).toMatch(/^✅/);
    const code = (await program.answered(page)).searchParams.get('code') ?? '';
    expect((await program.redeem(code)).status).toBe(200);
  });

  test('that some agent can write to nobody is asked: who asks without a session may be that agent', async () => {
    const telegram = await start('{ tg: { kind: bearer, source: "env:KEY", hosts: [api.telegram.org] } }');
    const page = await program.begin();
    await decide(gateway, (await onlyQuestion(gateway)).id, { code: '1' });
    await program.answered(page);
    expect(telegram.chats.list(ANA)).toEqual([]);
  });
});

describe('[AP-2][AP-3] an agent approves its own request', () => {
  test('through no route of its side, with whatever it has', async () => {
    const page = await program.begin();
    const { id } = await onlyQuestion(gateway);
    const { session_token: session } = await gateway.openSession();
    const paths = [
      `/v1/approvals/${id}/decision`,
      `/v1/approvals/${id}`,
      `/v1/decide/${id}`,
      page,
      page.replace('wait', 'authorize'),
      '/oauth/authorize',
      '/oauth/approve',
      '/oauth/consent',
      '/oauth/decision',
    ];
    for (const token of [undefined, session, gateway.apiKey, gateway.inboxSecret, gateway.operatorToken]) {
      for (const path of paths) {
        for (const method of ['POST', 'PUT', 'PATCH', 'GET']) {
          await gateway.agent(path, {
            method,
            ...(token === undefined ? {} : { token }),
            ...(method === 'GET' ? {} : { json: { code: '1', decision: 'allow', approve: true } }),
          });
        }
      }
    }
    for (const token of [session, gateway.apiKey, gateway.inboxSecret]) {
      const answer = await gateway.operator(`/v1/approvals/${id}/decision`, { token, json: { code: '1' } });
      expect(answer.status).toBe(401);
      expect((await gateway.agent(`/v1/approvals/${id}`, { token })).status).not.toBe(200);
    }
    expect((await gateway.agent(page)).status).toBe(200);
    expect((await questions(gateway)).map((question) => question.id)).toEqual([id]);
  });

  test('by declaring the same question itself: its own yes opens nothing', async () => {
    const page = await program.begin();
    const { preview } = await onlyQuestion(gateway);
    const asked = await gateway.agent('/v1/approvals', {
      token: gateway.apiKey,
      json: { session_id: 's', action_type: 'custom:connect', title: 'mcp.connect: a call', preview },
    });
    expect(asked.status).toBe(201);
    const { approval_id: id } = asked.json<{ approval_id: string }>();
    const detail = await gateway.operator(`/v1/approvals/${id}`);
    expect(detail.json()).toMatchObject({ self_declared: true, strength: 'each-time' });
    await decide(gateway, id, { code: '1' });
    expect((await gateway.agent(page)).status).toBe(200);
    expect(await questions(gateway)).toHaveLength(1);
  });

  test('from inside a web page: nothing that comes from another origin is answered', async () => {
    const path = `/oauth/authorize?${program.parameters()}`;
    const own = gateway.urls.api;
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { host: 'evil.example' },
      { host: 'evil.example:7180' },
    ]) {
      for (const [to, call] of [
        [path, {}],
        ['/oauth/register', { json: { redirect_uris: [CALLBACK] } }],
        ['/oauth/token', { body: 'grant_type=refresh_token', method: 'POST' }],
        ['/.well-known/oauth-authorization-server', {}],
        ['/.well-known/oauth-protected-resource/mcp', {}],
        ['/oauth/wait?id=x', {}],
      ] as const) {
        const answer = await gateway.agent(to, { ...call, headers });
        expect({ to, headers, status: answer.status }).toEqual({ to, headers, status: 421 });
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
    expect(await questions(gateway)).toEqual([]);
    const opened = await gateway.agent(path, { headers: { 'sec-fetch-site': 'none', origin: own } });
    expect(opened.status).toBe(303);
  });
});

test('[AP-5] the page runs nothing, is in no frame, has nothing to press, and is kept nowhere', async () => {
  const { headers, text } = await gateway.agent(await program.begin());
  expect(headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  expect(text).not.toMatch(/<(?:script|form|button|input|a|img|iframe|style|link)\b/i);
});

test('a flood of requests asks a handful of questions, and then none', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => program.authorize()));
  const begun = answers.filter(({ status }) => status === 303).length;
  expect(begun).toBe(8);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(32);
  await waitFor('eight questions', async () => expect(await questions(gateway)).toHaveLength(8));
});

test('a flood of registrations takes no memory, and leaves some lines in the trail', async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => registerClient(gateway)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(29);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(31);
  const seen = await events(gateway, 'OAuthEvent::ClientRegistered');
  expect(seen).toHaveLength(30);
});

test('a registration that is too large, or no JSON, is refused', async () => {
  expect((await registerClient(gateway, { x: 'a'.repeat(20_000) })).status).toBe(413);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await gateway.agent('/oauth/register', { body: 'redirect_uris=x', headers: form });
  expect(answer.status).toBe(415);
});

test('[GA-10] `mcp.oauth: false` takes it all away, and the door says nothing of it', async () => {
  await gateway.close();
  gateway = await startOAuth({ more: 'mcp: { oauth: false }' });
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/oauth/authorize',
    '/oauth/wait',
  ])
    expect((await gateway.agent(path)).status).toBe(404);
  expect((await registerClient(gateway)).status).toBe(404);
  expect((await gateway.agent('/mcp')).headers['www-authenticate']).toBe('Bearer realm="sallyport"');
});

test.each(['GET', 'POST', 'DELETE'])('%s /mcp without a token says where to ask for one', async (method) => {
  const answer = await gateway.agent('/mcp', { method, ...(method === 'POST' ? { json: {} } : {}) });
  expect(answer.status).toBe(401);
  expect(answer.json()).toMatchObject({ error: { code: 'NotAuthenticated' } });
  const where = `${gateway.urls.api}/.well-known/oauth-protected-resource/mcp`;
  expect(answer.headers['www-authenticate']).toBe(`Bearer realm="sallyport", resource_metadata="${where}"`);
  expect((await gateway.agent('/session')).headers['www-authenticate']).toBe('Bearer realm="sallyport"');
});

test('a token that is not good any more is said to be that, and where to ask for another', async () => {
  const answer = await gateway.agent('/mcp', { token: `spt_${'a'.repeat(43)}`, json: {} });
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toMatch(
    /^Bearer realm="sallyport", error="invalid_token", resource_metadata="http:/,
  );
});

test('[AP-9] a rule that comes while people are asked holds against their yes', async () => {
  const page = await program.begin();
  const { id } = await onlyQuestion(gateway);
  const file = join(gateway.home, 'sallyport.yaml');
  await gateway.writeConfig(
    (await readFile(file, 'utf8')).replace('["allow:*"]', '["deny:@custom:connect"]'),
  );
  await waitFor('the reload in the trail', async () => {
    await gateway.operator('/v1/config/reload', { method: 'POST' });
    const { text } = await gateway.operator('/v1/audit/events?limit=20');
    expect(text).toContain('ConfigEvent::Reloaded');
  });
  await decide(gateway, id, { code: '1' });
  expect((await program.answered(page)).searchParams.get('error')).toBe('access_denied');
  expect((await gateway.operator('/v1/sessions')).json()).toMatchObject({ items: [] });
});

test('a yes to what the roles of the user do not reach opens nothing', async () => {
  const page = await program.begin();
  const { id } = await onlyQuestion(gateway);
  const file = join(gateway.home, 'sallyport.yaml');
  await gateway.writeConfig((await readFile(file, 'utf8')).replace('"agent:*"', '"agent:second"'));
  await waitFor('the reload in the trail', async () => {
    await gateway.operator('/v1/config/reload', { method: 'POST' });
    const { text } = await gateway.operator('/v1/audit/events?limit=20');
    expect(text).toContain('ConfigEvent::Reloaded');
  });
  await decide(gateway, id, { code: '1' });
  expect((await program.answered(page)).searchParams.get('error')).toBe('temporarily_unavailable');
  expect((await gateway.operator('/v1/sessions')).json()).toMatchObject({ items: [] });
});
