import { FakeClock, type TestGateway, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decide, events, onlyQuestion, opens, Program, startOAuth, type Tokens } from './oauth-fixture.ts';

let clock: FakeClock;
let gateway: TestGateway;
let program: Program;
beforeEach(async () => {
  clock = new FakeClock(Date.now());
  gateway = await startOAuth({}, { clock });
  program = await Program.register(gateway);
});
afterEach(() => gateway.close());

interface Session {
  readonly id: string;
  readonly agent: string;
  readonly user: string;
  readonly tenant: string;
  readonly confinement: string;
  readonly end_reason: string | null;
}
const sessions = async (all = false): Promise<readonly Session[]> =>
  (await gateway.operator(`/v1/sessions?all=${all}`)).json<{ items: readonly Session[] }>().items;
const noSessions = () => waitFor('the end of all sessions', async () => expect(await sessions()).toEqual([]));
const BAD = { status: 400, error: 'invalid_grant' };
const told = (answer: { status: number; json<T>(): T }) => ({
  status: answer.status,
  error: answer.json<{ error?: string }>().error,
});

test('a code gives an ordinary session, unconfined, of the tenant’s own user and agent', async () => {
  const tokens = await program.tokens();
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'agent:dev' });
  expect(tokens.access_token).toMatch(/^spt_/);
  expect(await sessions()).toMatchObject([
    { tenant: 'default', user: 'ana', agent: 'dev', confinement: 'unconfined' },
  ]);
});

test('a scope names another agent, and the question says so', async () => {
  const page = await program.begin({ scope: 'agent:second' });
  const question = await onlyQuestion(gateway);
  expect(question.preview).toContain('the agent `second`');
  await decide(gateway, question.id, { code: '1' });
  const code = (await program.answered(page)).searchParams.get('code') ?? '';
  expect((await program.redeem(code)).json()).toMatchObject({ scope: 'agent:second' });
  expect(await sessions()).toMatchObject([{ agent: 'second' }]);
});

describe('[AP-8] a code in the wrong hands opens nothing, and is spent', () => {
  test.each([
    { why: 'a wrong verifier', changed: { code_verifier: 'a'.repeat(43) } },
    { why: 'no verifier', changed: { code_verifier: undefined } },
    { why: 'the challenge as verifier', changed: (own: Program) => ({ code_verifier: own.challenge }) },
    { why: 'another address', changed: { redirect_uri: 'http://127.0.0.1:4712/callback' } },
    { why: 'no address', changed: { redirect_uri: undefined } },
    { why: 'another resource', changed: { resource: 'https://mcp.example.com/mcp' } },
  ])('$why', async ({ changed }) => {
    const code = await program.code();
    const wrong = await program.redeem(code, typeof changed === 'function' ? changed(program) : changed);
    expect(told(wrong)).toEqual(BAD);
    expect(told(await program.redeem(code))).toEqual(BAD);
    await noSessions();
  });

  test('the code of another client', async () => {
    const other = await Program.register(gateway, { client_name: 'Other' });
    const code = await program.code();
    expect(told(await other.redeem(code, { code_verifier: program.verifier }))).toEqual(BAD);
    expect(told(await program.redeem(code))).toEqual(BAD);
    await noSessions();
  });

  test('a code after its minute', async () => {
    const code = await program.code();
    clock.advance(61_000);
    expect(told(await program.redeem(code))).toEqual(BAD);
    await noSessions();
  });

  test('a code that nobody sends: its session ends by itself', async () => {
    await program.code();
    expect(await sessions()).toHaveLength(1);
    clock.advance(61_000);
    await noSessions();
  });

  test('a yes that no browser comes for: its session ends by itself, and the page is over', async () => {
    const page = await program.begin();
    await decide(gateway, (await onlyQuestion(gateway)).id, { code: '1' });
    await waitFor('the session', async () => expect(await sessions()).toHaveLength(1));
    // A session is in the list a moment before the answer is held: time goes on until both are there.
    // Each step leaves time for a sweep, so that the session does not expire first.
    await waitFor(
      'the end of the session that nobody came for',
      async () => {
        clock.advance(121_000);
        expect(await sessions()).toEqual([]);
      },
      { intervalMs: 1_500 },
    );
    expect(await sessions(true)).toMatchObject([{ end_reason: 'nobody came for its token' }]);
    expect((await gateway.agent(page)).status).toBe(404);
  });

  test('the page gives its code once', async () => {
    const page = await program.begin();
    await decide(gateway, (await onlyQuestion(gateway)).id, { code: '1' });
    expect((await program.answered(page)).searchParams.has('code')).toBe(true);
    expect((await gateway.agent(page)).status).toBe(404);
  });

  test('a code that is sent twice takes back what it gave', async () => {
    const code = await program.code();
    const tokens = (await program.redeem(code)).json<Tokens>();
    expect(await opens(gateway, tokens.access_token)).toBe(true);
    expect(told(await program.redeem(code))).toEqual(BAD);
    expect(await opens(gateway, tokens.access_token)).toBe(false);
    expect(told(await program.refresh(tokens.refresh_token))).toEqual(BAD);
    expect((await events(gateway)).map(({ type }) => type)).toContain('OAuthEvent::ReuseDetected');
  });

  test('a code that is sent many times at once opens one session at most, and it ends', async () => {
    const code = await program.code();
    const answers = await Promise.all(Array.from({ length: 8 }, () => program.redeem(code)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    await noSessions();
    expect(await sessions(true)).toHaveLength(1);
  });
});

describe('[ID-3] who ends the session ends everything', () => {
  test('between the yes and the token', async () => {
    const code = await program.code();
    const [session] = await sessions();
    await gateway.operator(`/v1/sessions/${session?.id}`, { method: 'DELETE' });
    expect(told(await program.redeem(code))).toEqual(BAD);
  });

  test('between the yes and the code', async () => {
    const page = await program.begin();
    await decide(gateway, (await onlyQuestion(gateway)).id, { code: '1' });
    await waitFor('the session', async () => expect(await sessions()).toHaveLength(1));
    await gateway.operator(`/v1/sessions/${(await sessions())[0]?.id}`, { method: 'DELETE' });
    const code = (await program.answered(page)).searchParams.get('code') ?? '';
    expect(told(await program.redeem(code))).toEqual(BAD);
  });

  test('later: token and refresh token are worth nothing, also when its time would be over', async () => {
    const tokens = await program.tokens();
    await gateway.operator(`/v1/sessions/${(await sessions())[0]?.id}`, { method: 'DELETE' });
    expect(await opens(gateway, tokens.access_token)).toBe(false);
    clock.advance(3_700_000);
    expect(told(await program.refresh(tokens.refresh_token))).toEqual(BAD);
    expect(await sessions()).toEqual([]);
  });

  test('the agent itself ends it', async () => {
    const tokens = await program.tokens();
    await gateway.agent('/session', { method: 'DELETE', token: tokens.access_token });
    expect(told(await program.refresh(tokens.refresh_token))).toEqual(BAD);
  });
});

describe('refresh tokens', () => {
  test('a live session stays the same one, with another token', async () => {
    const first = await program.tokens();
    const before = await sessions();
    clock.advance(1_000_000);
    const second = (
      await program.refresh(first.refresh_token, { resource: program.resource })
    ).json<Tokens>();
    expect((await sessions()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(second.expires_in).toBe(3_600);
    expect(await opens(gateway, second.access_token)).toBe(true);
    expect(await opens(gateway, first.access_token)).toBe(false);
  });

  test('an expired session is followed by another one', async () => {
    const first = await program.tokens();
    clock.advance(3_700_000);
    expect(await opens(gateway, first.access_token)).toBe(false);
    const second = (await program.refresh(first.refresh_token)).json<Tokens>();
    expect(await opens(gateway, second.access_token)).toBe(true);
    expect(await sessions()).toMatchObject([{ agent: 'dev', user: 'ana', confinement: 'unconfined' }]);
  });

  test('[AP-8] one that was used before ends the session and everything after it', async () => {
    const first = await program.tokens();
    const second = (await program.refresh(first.refresh_token)).json<Tokens>();
    const third = (await program.refresh(second.refresh_token)).json<Tokens>();
    expect(told(await program.refresh(first.refresh_token))).toEqual(BAD);
    expect(await opens(gateway, third.access_token)).toBe(false);
    expect(told(await program.refresh(third.refresh_token))).toEqual(BAD);
    await noSessions();
  });

  test('[AP-8] one that comes many times at once leaves nothing alive', async () => {
    const first = await program.tokens();
    await Promise.all(Array.from({ length: 8 }, () => program.refresh(first.refresh_token)));
    await noSessions();
  });

  test('[AP-8] the same when its session has expired', async () => {
    const first = await program.tokens();
    clock.advance(3_700_000);
    await Promise.all(Array.from({ length: 8 }, () => program.refresh(first.refresh_token)));
    await noSessions();
  });

  test('one of another client ends the session', async () => {
    const other = await Program.register(gateway, { client_name: 'Other' });
    const tokens = await program.tokens();
    expect(told(await other.refresh(tokens.refresh_token))).toEqual(BAD);
    expect(await opens(gateway, tokens.access_token)).toBe(false);
  });

  test('another resource is refused, and nothing is spent', async () => {
    const tokens = await program.tokens();
    const wrong = await program.refresh(tokens.refresh_token, { resource: 'https://mcp.example.com/mcp' });
    expect(told(wrong)).toEqual({ status: 400, error: 'invalid_target' });
    expect((await program.refresh(tokens.refresh_token)).status).toBe(200);
  });

  test('after seven days people are asked again, however often it was used', async () => {
    let tokens = await program.tokens();
    for (let day = 0; day < 6; day += 1) {
      clock.advance(86_400_000);
      tokens = (await program.refresh(tokens.refresh_token)).json<Tokens>();
    }
    clock.advance(86_400_000 - 1_000);
    tokens = (await program.refresh(tokens.refresh_token)).json<Tokens>();
    expect(await opens(gateway, tokens.access_token)).toBe(true);
    clock.advance(2_000);
    expect(told(await program.refresh(tokens.refresh_token))).toEqual(BAD);
    await noSessions();
  });
});

describe('[ID-2] what one is for is worth nothing elsewhere', () => {
  test('codes, refresh tokens, keys and client ids open no door; a session token no operator route', async () => {
    const code = await program.code();
    const tokens = (await program.redeem(code)).json<Tokens>();
    const wrong = [code, tokens.refresh_token, program.clientId, gateway.apiKey, gateway.enrollmentSecret];
    for (const token of wrong) {
      expect((await gateway.agent('/mcp', { token, json: {} })).status).toBe(401);
      expect((await gateway.operator('/v1/status', { token })).status).toBe(401);
    }
    expect((await gateway.operator('/v1/status', { token: tokens.access_token })).status).toBe(401);
    const asCode = await program.redeem(tokens.refresh_token);
    const asRefresh = await program.refresh(tokens.access_token);
    expect([told(asCode), told(asRefresh)]).toEqual([BAD, BAD]);
    expect(await opens(gateway, tokens.access_token)).toBe(true);
  });
});

describe('a token request', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  test.each([
    { why: 'no grant type', body: '', error: 'unsupported_grant_type' },
    { why: 'a password', body: 'grant_type=password&username=a&password=b', error: 'unsupported_grant_type' },
    { why: 'no user at all', body: 'grant_type=client_credentials', error: 'unsupported_grant_type' },
    { why: 'no code', body: 'grant_type=authorization_code', error: 'invalid_grant' },
    { why: 'a prototype', body: 'grant_type=__proto__', error: 'unsupported_grant_type' },
    {
      why: 'the same twice',
      body: 'grant_type=refresh_token&grant_type=refresh_token',
      error: 'invalid_request',
    },
    { why: 'a secret', body: 'grant_type=refresh_token&client_secret=x', error: 'invalid_client' },
  ])('with $why is `$error`', async ({ body, error }) => {
    const own = `client_id=${encodeURIComponent(program.clientId)}&${body}`;
    const answer = await gateway.agent('/oauth/token', { body: own, headers: form });
    expect(answer.json()).toMatchObject({ error });
    expect(answer.status).toBe(error === 'invalid_client' ? 401 : 400);
  });

  test('of an unknown client, as JSON, with a header, or too large is refused', async () => {
    const unknown = await program.token({ client_id: 'x', grant_type: 'refresh_token' });
    expect(told(unknown)).toEqual({ status: 401, error: 'invalid_client' });
    const json = await gateway.agent('/oauth/token', { json: { grant_type: 'refresh_token' } });
    expect(told(json)).toEqual({ status: 415, error: 'invalid_request' });
    const basic = { ...form, authorization: 'Basic YTpi' };
    const header = await gateway.agent('/oauth/token', { body: 'a=b', headers: basic });
    expect(told(header)).toEqual({ status: 400, error: 'invalid_request' });
    const large = await gateway.agent('/oauth/token', { body: `a=${'b'.repeat(20_000)}`, headers: form });
    expect(told(large)).toEqual({ status: 413, error: 'invalid_request' });
  });

  test('is the only place of this side that reads a form', async () => {
    const { session_token: token } = await gateway.openSession();
    for (const path of ['/session/renew', '/mcp', '/session/new', '/oauth/register'])
      expect((await gateway.agent(path, { token, body: 'a=b', headers: form })).status).toBe(415);
  });
});

test('[CR-1] no token, code or id of a page is in the trail, the log or the list of sessions', async () => {
  const page = await program.begin();
  const { id } = await onlyQuestion(gateway);
  await decide(gateway, id, { code: '1' });
  const code = (await program.answered(page)).searchParams.get('code') ?? '';
  const first = (await program.redeem(code)).json<Tokens>();
  const second = (await program.refresh(first.refresh_token)).json<Tokens>();
  await program.refresh(first.refresh_token);
  const written = [
    (await gateway.operator('/v1/audit/events?limit=200')).text,
    (await gateway.operator('/v1/sessions?all=true')).text,
    (await gateway.operator('/v1/approvals')).text,
    (await gateway.operator('/metrics')).text,
    ...gateway.log,
  ].join('\n');
  const secrets = [code, first, second].flatMap((one) =>
    typeof one === 'string' ? [one] : [one.access_token, one.refresh_token],
  );
  for (const secret of [...secrets, page.split('=')[1] ?? '', program.verifier])
    expect(written).not.toContain(secret);
});
