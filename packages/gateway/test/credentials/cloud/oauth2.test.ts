import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OauthServer, type OauthServerOptions, waitUntil } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BrokerFixture, headerOf } from '../broker-fixture.ts';

const asked = { name: 'api' };

interface Fixture {
  readonly broker: BrokerFixture;
  readonly server: OauthServer;
}

interface Setup extends OauthServerOptions {
  readonly more?: string;
  readonly source?: string;
  readonly env?: (server: OauthServer) => Record<string, string>;
}

async function open({
  more = '',
  source = 'file:oauth.json',
  env,
  ...options
}: Setup = {}): Promise<Fixture> {
  const server = await OauthServer.start(options);
  onTestFinished(() => server.close());
  const oauth = `kind: oauth2, token_url: "${server.tokenUrl}", client_id: "${server.client.id}", hosts: [api.example.com], source: "${source}"`;
  const broker = await BrokerFixture.open({
    tenant: `credentials: { api: { ${oauth}${more} } }`,
    agents: { dev: ['api'] },
    ...(env === undefined ? {} : { env: env(server) }),
  });
  broker.write('oauth.json', material(server));
  return { broker, server };
}

function material(server: OauthServer): string {
  return JSON.stringify({ refresh_token: server.issue(), client_secret: server.client.secret, note: 'kept' });
}

function kept({ broker }: Fixture): { refresh_token: string; client_secret?: string; note?: string } {
  return JSON.parse(readFileSync(join(broker.home, 'oauth.json'), 'utf8'));
}

async function bearer({ broker }: Fixture): Promise<string | undefined> {
  return headerOf(await broker.sent(asked), 'authorization')?.replace(/^Bearer /, '');
}

describe('an OAuth access token', () => {
  test('is got once for all who wait, and again before it ends', async () => {
    const fixture = await open();
    const all = await Promise.all(Array.from({ length: 100 }, () => bearer(fixture)));
    expect(new Set(all)).toEqual(new Set(fixture.server.accessTokens));
    expect(fixture.server.answers).toEqual([200]);
    fixture.broker.clock.advance(3_600_000 - 30_000);
    await waitUntil('the second token', async () => (await bearer(fixture)) !== all[0]);
    expect(fixture.server.answers).toEqual([200, 200]);
    fixture.broker.clock.advance(7_200_000);
    expect(await bearer(fixture)).toBe(fixture.server.accessTokens[2]);
    expect(fixture.server.answers).toEqual([200, 200, 200]);
  });

  test('brings a new refresh token, which is stored back before anything is lent', async () => {
    const fixture = await open();
    const before = kept(fixture).refresh_token;
    await bearer(fixture);
    const after = kept(fixture);
    expect(after.refresh_token).not.toBe(before);
    expect(fixture.server.isGood(after.refresh_token)).toBe(true);
    expect(after).toMatchObject({ client_secret: fixture.server.client.secret, note: 'kept' });
    expect(statSync(join(fixture.broker.home, 'oauth.json')).mode & 0o777).toBe(0o600);
    // What was stored is no change from outside: it is not read and refreshed again.
    await bearer(fixture);
    expect(fixture.server.answers).toEqual([200]);
  });

  test('may come from a bare refresh token, stored back as one', async () => {
    const fixture = await open({ more: ', client_auth: body' });
    fixture.broker.write('oauth.json', `${fixture.server.issue()}\n`);
    await bearer(fixture);
    const text = readFileSync(join(fixture.broker.home, 'oauth.json'), 'utf8').trim();
    expect(fixture.server.isGood(text)).toBe(true);
    expect(fixture.server.clientAuth).toEqual(['none']);
  });

  test.each(['basic', 'body'])('is asked for with the client secret as %s', async (way) => {
    const fixture = await open({ more: `, client_auth: ${way}` });
    await bearer(fixture);
    expect(fixture.server.clientAuth).toEqual([way]);
  });

  test('[CR-1] that is refused is a plain refusal, without a trace of what was sent', async () => {
    const fixture = await open();
    fixture.server.revokeAll();
    const error = await fixture.broker.refusal(asked);
    expect(error).toMatchObject({
      code: 'CredentialUnavailable',
      message: 'the credential `api` cannot be had now',
    });
    const printed = fixture.broker.printed(error);
    expect(printed).toContain('was answered with status 400');
    expect(printed).not.toContain(kept(fixture).refresh_token);
    expect(printed).not.toContain(fixture.server.client.secret);
  });

  test('[CR-1] leaves no token in events, old or new', async () => {
    const fixture = await open();
    const before = kept(fixture).refresh_token;
    const token = (await bearer(fixture)) ?? '';
    for (const secret of [before, kept(fixture).refresh_token, token, fixture.server.client.secret]) {
      expect(secret).not.toBe('');
      expect(fixture.broker.printed()).not.toContain(secret);
      expect(fixture.broker.redactor.redactText(`it is ${secret}`)).not.toContain(secret);
    }
  });

  test('[CR-6] is got anew as soon as the source holds another refresh token', async () => {
    const fixture = await open();
    const before = await bearer(fixture);
    fixture.broker.write('oauth.json', material(fixture.server));
    expect(await bearer(fixture)).not.toBe(before);
    fixture.broker.write('oauth.json', JSON.stringify({ refresh_token: 'rt-revoked' }));
    expect((await fixture.broker.refusal(asked)).code).toBe('CredentialUnavailable');
  });

  test('[CR-2] is not got for another host', async () => {
    const fixture = await open();
    const error = await fixture.broker.refusal({ name: 'api', host: 'evil.example' });
    expect(error.code).toBe('CredentialNotAllowed');
    expect(fixture.server.answers).toEqual([]);
  });

  test('of a provider that keeps refresh tokens may come from a source that cannot be written to', async () => {
    const fixture = await open({
      ...{ rotates: false, source: 'env:REFRESH', more: ', rotates: false, client_auth: body' },
      env: (server) => ({ REFRESH: server.issue() }),
    });
    expect(await bearer(fixture)).toBe(fixture.server.accessTokens[0]);
  });
});
