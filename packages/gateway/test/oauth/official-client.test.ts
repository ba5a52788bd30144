import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { TestGateway } from '@sallyport/testkit';
import { FakeClock } from '@sallyport/testkit';
import { afterEach, expect, test } from 'vitest';
import { CALLBACK, decide, events, onlyQuestion, Program, questions, startOAuth } from './oauth-fixture.ts';

let gateway: TestGateway;
afterEach(() => gateway.close());

/** What an application keeps for the official client. */
class Keeper implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = {
    client_name: 'Official Client',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  information: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  opened: URL | undefined;
  #verifier = '';
  #discovery: unknown;

  state = (): string => 'a state of the application';
  clientInformation = () => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed): void => {
    this.information = information;
  };
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens): void => {
    this.kept = tokens;
  };
  redirectToAuthorization = (url: URL): void => {
    this.opened = url;
  };
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier;
  };
  codeVerifier = (): string => this.#verifier;
  saveDiscoveryState = (state: unknown): void => {
    this.#discovery = state;
  };
  // `as never`: whatever the client saved before.
  discoveryState = () => this.#discovery as never;
}

const connect = async (keeper: Keeper, path = '/mcp'): Promise<Client> => {
  const url = new URL(`${gateway.urls.api}${path}`);
  const transport = () => new StreamableHTTPClientTransport(url, { authProvider: keeper });
  const client = new Client({ name: 'official', version: '1' });
  const first = transport();
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);

  const opened = keeper.opened;
  if (opened === undefined) throw new Error('no browser was opened');
  const browser = await gateway.agent(opened.pathname + opened.search);
  const page = new URL(String(browser.headers.location));
  const question = await onlyQuestion(gateway);
  expect(question.preview).toContain('"Official Client"');
  await decide(gateway, question.id, { code: '1' });
  const program = new Program(gateway, '');
  const back = await program.answered(page.pathname + page.search);
  expect(back.searchParams.get('state')).toBe('a state of the application');
  await first.finishAuth(back.searchParams);

  const second = new Client({ name: 'official', version: '1' });
  await second.connect(transport());
  return second;
};

test('the official client finds the way by the address alone, and a person lets it in', async () => {
  gateway = await startOAuth();
  const keeper = new Keeper();
  const client = await connect(keeper);
  expect(keeper.kept).toMatchObject({ token_type: 'Bearer', scope: 'agent:dev' });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('fix/echo');
  const result = await client.callTool({ name: 'fix/echo', arguments: { message: 'hello' } });
  expect(JSON.stringify(result)).toContain('Echo: hello');
  await client.close();
  const seen = (await events(gateway)).map(({ type }) => type);
  expect(seen).toEqual(['OAuthEvent::Issued', 'OAuthEvent::ClientRegistered']);
});

test('one server alone, by its own address', async () => {
  gateway = await startOAuth();
  const client = await connect(new Keeper(), '/mcp/fix');
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
  await client.close();
});

test('the official client gets its next token by itself when the time of a session is over', async () => {
  const clock = new FakeClock(Date.now());
  gateway = await startOAuth({}, { clock });
  const keeper = new Keeper();
  const first = await connect(keeper);
  await first.close();
  const before = keeper.kept;
  clock.advance(3_700_000);
  const client = new Client({ name: 'official', version: '1' });
  const url = new URL(`${gateway.urls.api}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: keeper }));
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  expect(keeper.kept?.access_token).not.toBe(before?.access_token);
  expect(keeper.kept?.refresh_token).not.toBe(before?.refresh_token);
  expect(await questions(gateway)).toEqual([]);
  await client.close();
});
