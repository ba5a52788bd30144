import type { TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLBACK, events, Program, questions, startOAuth } from './oauth-fixture.ts';

const EVIL = 'https://evil.example/cb';

describe('[AP-8] where to is not known: a page, and no way on', () => {
  let gateway: TestGateway;
  let program: Program;
  beforeAll(async () => {
    gateway = await startOAuth();
    program = await Program.register(gateway);
  });
  afterAll(() => gateway.close());

  const cases: readonly { why: string; changed: Readonly<Record<string, string | undefined>> }[] = [
    { why: 'no client', changed: { client_id: undefined } },
    { why: 'a made-up client', changed: { client_id: 'spd_e30.00' } },
    { why: 'no address', changed: { redirect_uri: undefined } },
    { why: 'an address elsewhere', changed: { redirect_uri: EVIL } },
    { why: 'a host as user info', changed: { redirect_uri: 'http://127.0.0.1:4711@evil.example/callback' } },
    { why: 'a fragment', changed: { redirect_uri: `${CALLBACK}#x` } },
    { why: 'a path that was not registered', changed: { redirect_uri: 'http://127.0.0.1:4711/other' } },
    { why: 'an encoded host', changed: { redirect_uri: 'http://127.0.0.1%2eevil.example/callback' } },
    { why: 'a state with markup beyond ASCII', changed: { state: 'ü' } },
    { why: 'a state that is huge', changed: { state: 'a'.repeat(600) } },
    { why: 'a state with a line break', changed: { state: 'a\r\nlocation: x' } },
  ];
  test.each(cases)('$why', async ({ changed }) => {
    const answer = await program.authorize(changed);
    expect(answer.status).toBe(400);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.headers['content-type']).toContain('text/html');
    expect(await questions(gateway)).toEqual([]);
  });

  test.each(['redirect_uri', 'client_id', 'state', 'code_challenge', 'resource', 'unheard_of'])(
    '`%s` twice',
    async (name) => {
      const answer = await gateway.agent(`/oauth/authorize?${name}=a&${program.parameters()}&${name}=b`);
      expect(answer.status).toBe(400);
      expect(answer.headers.location).toBeUndefined();
    },
  );

  test('a thousand parameters, and one of 12 thousand characters', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `p${i}=1`).join('&');
    expect((await gateway.agent(`/oauth/authorize?${program.parameters()}&${many}`)).status).toBe(400);
    const long = await program.authorize({ client_id: `spd_${'a'.repeat(12_000)}` });
    expect(long.status).toBe(400);
    expect((await program.authorize({ state: 'a'.repeat(20_000) })).status).toBe(431);
  });
});

describe('what is wrong with a request is told to the program, and nobody is asked', () => {
  let gateway: TestGateway;
  let program: Program;
  beforeAll(async () => {
    gateway = await startOAuth();
    program = await Program.register(gateway);
  });
  afterAll(() => gateway.close());

  test.each([
    { why: 'no PKCE', changed: { code_challenge: undefined }, error: 'invalid_request' },
    { why: 'plain PKCE', changed: { code_challenge_method: 'plain' }, error: 'invalid_request' },
    { why: 'PKCE without a method', changed: { code_challenge_method: undefined }, error: 'invalid_request' },
    { why: 'a short challenge', changed: { code_challenge: 'abc' }, error: 'invalid_request' },
    { why: 'a token at once', changed: { response_type: 'token' }, error: 'unsupported_response_type' },
    { why: 'no type', changed: { response_type: undefined }, error: 'unsupported_response_type' },
    { why: 'an answer in a form', changed: { response_mode: 'form_post' }, error: 'invalid_request' },
    { why: 'a request elsewhere', changed: { request_uri: EVIL }, error: 'request_not_supported' },
    { why: 'another server', changed: { resource: 'https://mcp.example.com/mcp' }, error: 'invalid_target' },
    { why: 'no resource', changed: { resource: undefined }, error: 'invalid_target' },
    { why: 'an unknown scope', changed: { scope: 'admin' }, error: 'invalid_scope' },
    { why: 'two scopes', changed: { scope: 'agent:dev agent:second' }, error: 'invalid_scope' },
    { why: 'an unknown agent', changed: { scope: 'agent:nobody' }, error: 'invalid_scope' },
    { why: 'a prototype as agent', changed: { scope: 'agent:__proto__' }, error: 'invalid_scope' },
  ])('$why: $error', async ({ changed, error }) => {
    const answer = await program.authorize(changed);
    expect(answer.status).toBe(303);
    const to = new URL(String(answer.headers.location));
    expect(to.origin + to.pathname).toBe(CALLBACK);
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ error, state: 'st4te' });
    expect(to.searchParams.has('code')).toBe(false);
    expect(await questions(gateway)).toEqual([]);
    expect((await events(gateway)).at(0)).toMatchObject({ type: 'OAuthEvent::Refused', data: { error } });
  });
});

describe('what is told about the door', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startOAuth();
  });
  afterAll(() => gateway.close());

  test.each(['127.0.0.1', 'localhost', '[::1]'])(
    'is told for the name that the client uses: %s',
    async (name) => {
      const base = `http://${name}:${gateway.ports.api}`;
      const headers = { host: `${name}:${gateway.ports.api}` };
      for (const path of ['', '/mcp', '/mcp/fix']) {
        const answer = await gateway.agent(`/.well-known/oauth-protected-resource${path}`, { headers });
        expect(answer.json()).toEqual({
          resource: `${base}/mcp`,
          authorization_servers: [base],
          bearer_methods_supported: ['header'],
          resource_name: 'Sallyport',
        });
      }
      const server = await gateway.agent('/.well-known/oauth-authorization-server', { headers });
      expect(server.json()).toEqual({
        issuer: base,
        authorization_endpoint: `${base}/oauth/authorize`,
        token_endpoint: `${base}/oauth/token`,
        registration_endpoint: `${base}/oauth/register`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
    },
  );
});
