import { join } from 'node:path';
import { GoogleServer, waitUntil } from '@sallyport/testkit';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BrokerFixture, headerOf, outgoing } from '../broker-fixture.ts';

const ROBOT = 'robot@test.iam.gserviceaccount.com';
const DATA = 'data@test.iam.gserviceaccount.com';
const HOUR = 3_600_000;
const host = 'storage.googleapis.com';
const asked = { name: 'gcp', host };

interface Fixture {
  readonly broker: BrokerFixture;
  readonly server: GoogleServer;
  readonly key: string;
}

async function open(kind: string, more = ''): Promise<Fixture> {
  let broker: BrokerFixture | undefined;
  const server = await GoogleServer.start({ now: () => broker?.clock.now() ?? 0 });
  onTestFinished(() => server.close());
  broker = await BrokerFixture.open({
    tenant: `credentials: { gcp: { kind: ${kind}, token_url: "${server.tokenUrl}"${more.replace('URL', server.url)} } }`,
    agents: { dev: ['gcp'] },
  });
  const key = server.addServiceAccount(ROBOT);
  broker.write('gcp.json', key);
  return { broker, server, key };
}

/** Whom the token stands for, as Google knows it. */
async function bearer(fixture: Fixture): Promise<string | undefined> {
  return fixture.server.tokens.get(await token(fixture));
}

async function token({ broker }: Fixture): Promise<string> {
  const request = await broker.sent(asked, outgoing({ host }));
  return headerOf(request, 'authorization')?.replace(/^Bearer /, '') ?? '';
}

function privateKeyOf(key: string): string {
  const { private_key }: { private_key: string } = JSON.parse(key);
  return private_key;
}

const kinds = [
  { kind: 'gcp_static', more: ', source: "file:gcp.json"', whom: ROBOT, calls: 1 },
  {
    kind: 'gcp_impersonate',
    more: `, source: "file:gcp.json", account: "${DATA}", endpoint: "URL"`,
    whom: DATA,
    calls: 2,
  },
];

describe.each(kinds)('$kind', ({ kind, more, whom, calls }) => {
  async function opened(): Promise<Fixture> {
    const fixture = await open(kind, more);
    fixture.server.impersonations.add(`${ROBOT} → ${DATA}`);
    return fixture;
  }

  test('mints one token for all who wait, and another shortly before it ends', async () => {
    const fixture = await opened();
    const all = await Promise.all(Array.from({ length: 100 }, () => bearer(fixture)));
    expect(new Set(all)).toEqual(new Set([whom]));
    expect(fixture.server.calls).toHaveLength(calls);
    fixture.broker.clock.advance(HOUR - 90_000);
    const before = await token(fixture);
    expect(fixture.server.tokens.get(before)).toBe(whom);
    expect(fixture.server.calls).toHaveLength(calls);
    fixture.broker.clock.advance(45_000);
    // Lent, not only asked for: with a clock that jumps in between it would count as fresh for longer.
    await waitUntil('the second token', async () => (await token(fixture)) !== before);
    expect(fixture.server.calls).toHaveLength(2 * calls);
    fixture.broker.clock.advance(3 * HOUR);
    expect(await bearer(fixture)).toBe(whom);
    expect(fixture.server.calls).toHaveLength(3 * calls);
  });

  test('[CR-1] a revoked key is a plain refusal without a trace of key or token', async () => {
    const fixture = await opened();
    fixture.server.revoke(ROBOT);
    const error = await fixture.broker.refusal(asked);
    expect(error).toMatchObject({
      code: 'CredentialUnavailable',
      message: 'the credential `gcp` cannot be had now',
    });
    const printed = fixture.broker.printed(error);
    expect(printed).toContain('was answered with status 400');
    for (const line of privateKeyOf(fixture.key).split('\n').slice(1, 5)) expect(printed).not.toContain(line);
  });

  test.each([
    { why: 'no JSON', file: 'canary-4711' },
    { why: 'another JSON', file: '{"type":"authorized_user","refresh_token":"canary-4711"}' },
    {
      why: 'a broken key',
      file: JSON.stringify({
        type: 'service_account',
        client_email: ROBOT,
        private_key: 'PRIVATE KEY canary-4711',
      }),
    },
  ])('[CR-1] a source with $why is a plain refusal that does not repeat it', async ({ file }) => {
    const fixture = await opened();
    fixture.broker.write('gcp.json', file);
    const error = await fixture.broker.refusal(asked);
    expect(error.message).toBe('the credential `gcp` cannot be had now');
    expect(fixture.broker.printed(error)).not.toContain('canary');
    expect(fixture.server.calls).toHaveLength(0);
  });

  test('[CR-1] no event holds a token, and what must not come back is told', async () => {
    const fixture = await opened();
    const loan = await fixture.broker.lend(asked);
    const values = loan.values().map((value) => value.reveal());
    expect(values.map((value) => fixture.server.tokens.get(value))).toEqual([whom]);
    for (const token of fixture.server.tokens.keys()) expect(fixture.broker.printed()).not.toContain(token);
    const line = privateKeyOf(fixture.key);
    expect(fixture.broker.redactor.redactText(line)).not.toContain(line.split('\n')[1]);
  });

  test('[CR-6] a new key in the source counts at once', async () => {
    const fixture = await opened();
    await bearer(fixture);
    fixture.broker.write('gcp.json', fixture.server.addServiceAccount('next@test.iam.gserviceaccount.com'));
    fixture.server.impersonations.add(`next@test.iam.gserviceaccount.com → ${DATA}`);
    const before = fixture.server.tokens.size;
    expect(await bearer(fixture)).toBe(kind === 'gcp_static' ? 'next@test.iam.gserviceaccount.com' : DATA);
    expect(fixture.server.tokens.size).toBeGreaterThan(before);
  });

  test.each(['googleapis.com', 'googleapis.com.evil.example', 'storage.cloud.google.com'])(
    '[CR-2] is not lent for %s',
    async (other) => {
      const fixture = await opened();
      expect((await fixture.broker.refusal({ name: 'gcp', host: other })).code).toBe('CredentialNotAllowed');
      expect(fixture.server.calls).toHaveLength(0);
    },
  );
});

describe('gcp_impersonate', () => {
  test('[CR-1] of an account that is not opened to it is a plain refusal', async () => {
    const fixture = await open(
      'gcp_impersonate',
      `, source: "file:gcp.json", account: "${DATA}", endpoint: "URL"`,
    );
    const error = await fixture.broker.refusal(asked);
    expect(fixture.broker.printed(error)).toContain('was answered with status 403');
    for (const token of fixture.server.tokens.keys())
      expect(fixture.broker.printed(error)).not.toContain(token);
  });
});

describe('gcp_adc', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    { why: 'a service account', whom: ROBOT, file: (fixture: Fixture) => fixture.key },
    { why: 'a login of gcloud', whom: 'user', file: (fixture: Fixture) => fixture.server.addUser() },
  ])("uses what Google's tools left on this machine: $why", async ({ whom, file }) => {
    const fixture = await open('gcp_adc');
    fixture.broker.write('adc.json', file(fixture));
    // The library reads the environment of the process itself.
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(fixture.broker.home, 'adc.json'));
    const all = await Promise.all(Array.from({ length: 20 }, () => bearer(fixture)));
    expect(new Set(all)).toEqual(new Set([whom]));
    expect(fixture.server.calls).toEqual(['/token']);
  });

  test('[CR-1] is a plain refusal when there is nothing usable', async () => {
    const fixture = await open('gcp_adc');
    fixture.broker.write('adc.json', '{"type":"authorized_user","refresh_token":"canary-4711"}');
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', join(fixture.broker.home, 'adc.json'));
    const error = await fixture.broker.refusal(asked);
    expect(error.message).toBe('the credential `gcp` cannot be had now');
    expect(fixture.broker.printed(error)).not.toContain('canary');
  });
});
