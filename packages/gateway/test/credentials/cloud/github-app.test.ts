import { GithubAppServer, waitFor } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BrokerFixture, headerOf, outgoing } from '../broker-fixture.ts';

const HOUR = 3_600_000;
const asked = { name: 'gh', host: 'api.github.com' };

interface Fixture {
  readonly broker: BrokerFixture;
  readonly server: GithubAppServer;
  readonly key: string;
}

async function open(more = ''): Promise<Fixture> {
  let broker: BrokerFixture | undefined;
  const server = await GithubAppServer.start({ now: () => broker?.clock.now() ?? 0 });
  onTestFinished(() => server.close());
  const app = `kind: github_app, app_id: 7, installation_id: 42, api_url: "${server.url}", source: "file:app.pem"`;
  broker = await BrokerFixture.open({
    tenant: `credentials: { gh: { ${app}${more} } }`,
    agents: { dev: ['gh'] },
  });
  const key = server.addApp(7, [42]);
  broker.write('app.pem', key);
  return { broker, server, key };
}

async function use(
  { broker, server }: Fixture,
  over: { host: string; target: string } = { host: 'api.github.com', target: '/repos/a/b' },
): Promise<number> {
  const request = await broker.sent({ name: 'gh', host: over.host }, outgoing(over));
  const authorization = headerOf(request, 'authorization') ?? '';
  const answer = await fetch(`${server.url}${over.target}`, { headers: { authorization } });
  await answer.text();
  return answer.status;
}

function minted({ server }: Fixture): number {
  return server.calls.filter((call) => call.startsWith('POST /app/')).length;
}

describe('a GitHub App', () => {
  test('gets one token for all who wait, and another before it ends', async () => {
    const fixture = await open();
    const all = await Promise.all(Array.from({ length: 100 }, () => use(fixture)));
    expect(new Set(all)).toEqual(new Set([200]));
    expect(minted(fixture)).toBe(1);
    fixture.broker.clock.advance(HOUR - 30_000);
    expect(await use(fixture)).toBe(200);
    await waitFor('the second one to be minted', () => expect(minted(fixture)).toBe(2));
    fixture.broker.clock.advance(2 * HOUR);
    expect(await use(fixture)).toBe(200);
    expect(minted(fixture)).toBe(3);
  });

  test('serves git over HTTPS too', async () => {
    const fixture = await open();
    const target = '/a/b.git/info/refs?service=git-upload-pack';
    expect(await use(fixture, { host: 'github.com', target })).toBe(200);
  });

  test('asks for no more than the config says', async () => {
    const fixture = await open(', repositories: [b], permissions: { contents: read }');
    await use(fixture);
    expect([...fixture.server.tokens.values()]).toMatchObject([
      { repositories: ['b'], permissions: { contents: 'read' } },
    ]);
  });

  test('[CR-5] of one tenant is never handed what is fetched for another with the same installation', async () => {
    const first = await open();
    const second = await open();
    const other = new Set<string>();
    const values = async ({ broker }: Fixture): Promise<string[]> =>
      (await broker.lend(asked)).values().map((value) => value.reveal());
    const [mine, theirs] = await Promise.all([values(first), values(second)]);
    for (const value of theirs) other.add(value);
    expect(mine.some((value) => other.has(value))).toBe(false);
    expect(first.server.tokens.size).toBe(1);
    expect(second.server.tokens.size).toBe(1);
  });

  test.each([
    { why: 'the app was removed', break: ({ server }: Fixture) => server.uninstall(42), says: 'status 404' },
    {
      why: 'the key is not its own',
      break: ({ broker, server }: Fixture) => broker.write('app.pem', server.addApp(8, [42])),
      says: 'status 401',
    },
    {
      why: 'the source holds no key',
      break: ({ broker }: Fixture) => broker.write('app.pem', 'canary-4711'),
      says: 'is not the private key',
    },
    {
      why: 'the key is broken',
      break: ({ broker }: Fixture) =>
        broker.write(
          'app.pem',
          '-----BEGIN RSA PRIVATE KEY-----\ncanary-4711\n-----END RSA PRIVATE KEY-----',
        ),
      says: 'failed',
    },
  ])('[CR-1] is a plain refusal when $why', async ({ break: damage, says }) => {
    const fixture = await open();
    damage(fixture);
    const error = await fixture.broker.refusal(asked);
    expect(error).toMatchObject({
      code: 'CredentialUnavailable',
      message: 'the credential `gh` cannot be had now',
    });
    const printed = fixture.broker.printed(error);
    expect(printed).toContain(says);
    expect(printed).not.toMatch(/canary|eyJ/);
    expect(printed).not.toContain(fixture.key.split('\n')[1]);
  });

  test('[CR-6] with a new key in the source gets a token with that at once', async () => {
    const fixture = await open();
    await use(fixture);
    fixture.broker.write('app.pem', fixture.server.addApp(7, [42]));
    expect(await use(fixture)).toBe(200);
    expect(minted(fixture)).toBe(2);
  });

  test.each(['api.github.com.evil.example', 'gist.github.io', 'localhost'])(
    '[CR-2] is not lent for %s',
    async (host) => {
      const fixture = await open();
      expect((await fixture.broker.refusal({ name: 'gh', host })).code).toBe('CredentialNotAllowed');
      expect(minted(fixture)).toBe(0);
    },
  );

  test('[CR-1] leaves neither token nor JWT in events', async () => {
    const fixture = await open();
    await use(fixture);
    const [token = ''] = fixture.server.tokens.keys();
    expect(token).not.toBe('');
    expect(fixture.broker.printed()).not.toContain(token);
    expect(fixture.broker.printed()).not.toContain('eyJ');
  });
});
