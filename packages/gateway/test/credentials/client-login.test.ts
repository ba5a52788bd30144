import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { closeServer, listenOnFreePort, waitFor } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BrokerFixture, headerOf, outgoing } from './broker-fixture.ts';

const OLD = 'canary-old-access-token';
const REFRESH = 'canary-refresh-token';
const NEW = 'canary-new-access-token';

/** A token endpoint that takes each refresh token once, as both providers' do. */
async function tokenEndpoint(accessToken: string = NEW) {
  const taken: Record<string, unknown>[] = [];
  let good = REFRESH;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = JSON.parse(text) as Record<string, unknown>;
    taken.push(body);
    const isGood = body.refresh_token === good && body.grant_type === 'refresh_token';
    good = `canary-refresh-${taken.length}`;
    response.writeHead(isGood ? 200 : 400, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        isGood
          ? { access_token: accessToken, refresh_token: good, expires_in: 3_600 }
          : { error: `no ${String(body.refresh_token)}` },
      ),
    );
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => closeServer(server));
  return { url: `http://127.0.0.1:${port}/v1/oauth/token`, taken };
}

const setup = (client: string, url: string) => ({
  tenant: `credentials: { login: { kind: client_login, client: ${client}, token_url: "${url}" } }`,
  agents: { dev: ['login'] },
});
const anthropic = { name: 'login', host: 'api.anthropic.com' };
const claudeFile = (expiresAt: number): string =>
  JSON.stringify({
    claudeAiOauth: { accessToken: OLD, refreshToken: REFRESH, expiresAt, scopes: ['user:inference'] },
    other: { kept: true },
  });
const jwt = (exp: number): string => `h.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.s`;

describe("Claude Code's login", () => {
  async function open(leftMs: number) {
    const endpoint = await tokenEndpoint();
    const fixture = await BrokerFixture.open(setup('claude-code', endpoint.url));
    fixture.write('.claude/.credentials.json', claudeFile(fixture.clock.now() + leftMs));
    return { endpoint, fixture };
  }

  test('is read from its file and injected at the model API, with what that wants besides', async () => {
    const { endpoint, fixture } = await open(3_600_000);
    const request = outgoing({ host: 'api.anthropic.com', headers: [['Anthropic-Beta', 'a-1, b-2']] });
    await fixture.sent(anthropic, request);
    expect(request.headers).toEqual([
      ['authorization', `Bearer ${OLD}`],
      ['anthropic-beta', 'a-1,b-2,oauth-2025-04-20'],
    ]);
    expect(endpoint.taken).toEqual([]);
    expect((await fixture.refusal({ ...anthropic, host: 'api.openai.com' })).code).toBe(
      'CredentialNotAllowed',
    );
  });

  test('is refreshed once when it is over, and written back before it is used', async () => {
    const { endpoint, fixture } = await open(30_000);
    const requests = await Promise.all(
      Array.from({ length: 5 }, () => fixture.sent(anthropic, outgoing({ host: 'api.anthropic.com' }))),
    );
    for (const request of requests) expect(headerOf(request, 'authorization')).toBe(`Bearer ${NEW}`);
    expect(endpoint.taken).toHaveLength(1);
    const file = join(fixture.home, '.claude/.credentials.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      claudeAiOauth: {
        accessToken: NEW,
        refreshToken: 'canary-refresh-1',
        expiresAt: fixture.clock.now() + 3_600_000,
        scopes: ['user:inference'],
      },
      other: { kept: true },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(fixture.trail.of('CredentialEvent::Refreshed')).toHaveLength(1);
    expect(fixture.printed()).not.toContain('canary');
  });

  test('is refreshed beside requests shortly before it is over', async () => {
    const { endpoint, fixture } = await open(3_600_000);
    await fixture.sent(anthropic, outgoing({ host: 'api.anthropic.com' }));
    // Its place in memory is over long before; what counts here is the token's own end.
    fixture.clock.advance(3_550_000);
    const request = await fixture.sent(anthropic, outgoing({ host: 'api.anthropic.com' }));
    expect(headerOf(request, 'authorization')).toBe(`Bearer ${NEW}`);
    expect(endpoint.taken).toHaveLength(1);
  });

  test('goes on being lent while it is refreshed, and is the new one after', async () => {
    const { endpoint, fixture } = await open(200_000);
    const now = async (): Promise<string | undefined> =>
      headerOf(await fixture.sent(anthropic, outgoing({ host: 'api.anthropic.com' })), 'authorization');
    expect(await now()).toBe(`Bearer ${OLD}`);
    fixture.clock.advance(165_000);
    expect(fixture.broker.lend(fixture.ask(anthropic))).not.toBeInstanceOf(Promise);
    await waitFor('the new login', async () => expect(await now()).toBe(`Bearer ${NEW}`));
    expect(endpoint.taken).toHaveLength(1);
  });

  test('that the client itself refreshed is taken over at once', async () => {
    const { fixture } = await open(3_600_000);
    await fixture.sent(anthropic, outgoing({ host: 'api.anthropic.com' }));
    fixture.write(
      '.claude/.credentials.json',
      claudeFile(fixture.clock.now() + 7_200_000).replace(OLD, 'canary-by-the-client'),
    );
    const request = await fixture.sent(anthropic, outgoing({ host: 'api.anthropic.com' }));
    expect(headerOf(request, 'authorization')).toBe('Bearer canary-by-the-client');
  });

  test('[CR-1] that cannot be refreshed is an error that repeats neither token', async () => {
    const { fixture } = await open(30_000);
    fixture.write(
      '.claude/.credentials.json',
      claudeFile(fixture.clock.now()).replace(REFRESH, 'canary-dead-refresh'),
    );
    const error = await fixture.refusal(anthropic);
    expect(error.code).toBe('CredentialUnavailable');
    expect(fixture.printed(error)).not.toContain('canary');
    expect(String(fixture.trail.of('CredentialEvent::Failed')[0]?.data.message)).toContain('status 400');
  });

  test.each([
    { content: '{', why: 'no JSON' },
    { content: '{"claudeAiOauth":{"accessToken":"canary\\nx"}}', why: 'a token with a line end' },
    { content: '{"canary":1}', why: 'another shape' },
  ])('[CR-1] a file that is none is refused without its content: $why', async ({ content }) => {
    const { fixture } = await open(0);
    fixture.write('.claude/.credentials.json', content);
    const error = await fixture.refusal(anthropic);
    expect(fixture.printed(error)).not.toContain('canary');
  });
});

describe("Codex's login", () => {
  test('is injected with its account, and refreshed by the end that its token names', async () => {
    const endpoint = await tokenEndpoint(jwt(2_000_000_000));
    const fixture = await BrokerFixture.open({ ...setup('codex', endpoint.url) });
    const seconds = Math.floor(fixture.clock.now() / 1000);
    const write = (exp: number): void =>
      fixture.write(
        '.codex/auth.json',
        JSON.stringify({
          OPENAI_API_KEY: null,
          tokens: { access_token: jwt(exp), refresh_token: REFRESH, account_id: 'acc-1', id_token: 'old' },
        }),
      );
    write(seconds + 3_600);
    const ask = { name: 'login', host: 'chatgpt.com' };
    const request = await fixture.sent(ask, outgoing({ host: 'chatgpt.com' }));
    expect(request.headers).toEqual([
      ['authorization', `Bearer ${jwt(seconds + 3_600)}`],
      ['chatgpt-account-id', 'acc-1'],
    ]);
    write(seconds + 10);
    const later = await fixture.sent(ask, outgoing({ host: 'chatgpt.com' }));
    expect(headerOf(later, 'authorization')).toBe(`Bearer ${jwt(2_000_000_000)}`);
    expect(JSON.parse(readFileSync(join(fixture.home, '.codex/auth.json'), 'utf8'))).toMatchObject({
      tokens: { refresh_token: 'canary-refresh-1', account_id: 'acc-1', id_token: 'old' },
      last_refresh: '2026-01-01T00:00:00.000Z',
    });
  });

  test('may be an API key', async () => {
    const fixture = await BrokerFixture.open(setup('codex', 'https://auth.example.com/token'));
    fixture.write('.codex/auth.json', '{"OPENAI_API_KEY":"canary-key"}');
    const ask = { name: 'login', host: 'api.openai.com' };
    expect(headerOf(await fixture.sent(ask, outgoing({ host: 'api.openai.com' })), 'authorization')).toBe(
      'Bearer canary-key',
    );
  });
});
