import { waitFor } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { type AwsFixture, keyFile, openAws, sendSigned, toS3 } from './aws-fixture.ts';

const ROLE = 'arn:aws:iam::123456789012:role/reader';
const MINUTE = 60_000;

const assume =
  (more = '') =>
  (url: string) =>
    `credentials: { aws: { kind: aws_assume_role, role_arn: "${ROLE}", region: eu-west-1, endpoint: "${url}", source: "file:keys.json"${more} } }`;

async function openRole(more = ''): Promise<AwsFixture> {
  const fixture = await openAws(assume(more));
  fixture.server.account.roles.set(ROLE, undefined);
  return fixture;
}

/** How often STS, or SSO, handed out keys. */
function minted({ server }: AwsFixture): number {
  return server.records.filter(
    ({ request, verified }) => verified?.service === 'sts' || request.rawPath === '/federation/credentials',
  ).length;
}

describe('a role of AWS', () => {
  test('is assumed once for all who wait, and what is signed with it has its token', async () => {
    const fixture = await openRole();
    const all = await Promise.all(Array.from({ length: 100 }, () => sendSigned(fixture, toS3())));
    expect(all.every(({ status }) => status === 200)).toBe(true);
    expect(minted(fixture)).toBe(1);
    const last = fixture.server.records.at(-1);
    expect(last?.verified?.keys.arn).toBe('arn:aws:sts::123456789012:assumed-role/reader/sallyport');
    expect(last?.request.headers.get('x-amz-security-token')).toHaveLength(1);
  });

  test('is assumed again five minutes before its keys end, while the old ones still serve', async () => {
    const fixture = await openRole(', duration: 3600');
    await sendSigned(fixture, toS3());
    fixture.broker.clock.advance(54 * MINUTE);
    await sendSigned(fixture, toS3());
    expect(minted(fixture)).toBe(1);
    fixture.broker.clock.advance(MINUTE + 1);
    await sendSigned(fixture, toS3());
    await waitFor('the second one to be minted', () => expect(minted(fixture)).toBe(2));
    fixture.broker.clock.advance(30 * MINUTE);
    expect(await sendSigned(fixture, toS3())).toMatchObject({ status: 200 });
    expect(minted(fixture)).toBe(2);
  });

  test('is never lent with keys that have ended', async () => {
    const fixture = await openRole();
    await sendSigned(fixture, toS3());
    fixture.broker.clock.advance(3 * 60 * MINUTE);
    expect(await sendSigned(fixture, toS3())).toMatchObject({ status: 200 });
    expect(minted(fixture)).toBe(2);
  });

  test('may ask for an external id', async () => {
    const fixture = await openRole(', external_id: "ext-1"');
    expect((await fixture.broker.refusal(asked)).code).toBe('CredentialUnavailable');
    fixture.server.account.roles.set(ROLE, 'ext-1');
    fixture.broker.clock.advance(MINUTE);
    expect(await sendSigned(fixture, toS3())).toMatchObject({ status: 200 });
  });

  test('[CR-6] is assumed with the new keys as soon as the source holds them', async () => {
    const fixture = await openRole();
    await sendSigned(fixture, toS3());
    const before = fixture.server.records.at(-1)?.verified?.keys.accessKeyId;
    const next = fixture.server.account.addUser('next');
    fixture.server.account.revoke(fixture.user.accessKeyId);
    fixture.broker.write('keys.json', keyFile(next));
    await sendSigned(fixture, toS3());
    expect(fixture.server.records.at(-1)?.verified?.keys.accessKeyId).not.toBe(before);
    expect(minted(fixture)).toBe(2);
  });

  test('[CR-1] that cannot be assumed is a plain refusal, without a trace of the keys', async () => {
    const fixture = await openRole();
    fixture.server.account.roles.clear();
    const error = await fixture.broker.refusal(asked);
    expect(error).toMatchObject({
      code: 'CredentialUnavailable',
      message: 'the credential `aws` cannot be had now',
    });
    const printed = fixture.broker.printed(error);
    expect(printed).toContain('AccessDenied');
    expect(printed).toContain(ROLE);
    expect(printed).not.toContain(fixture.user.secretAccessKey);
    expect(printed).not.toContain(fixture.user.accessKeyId);
  });

  test('[CR-1] leaves nothing of its keys in events, and tells everything that must not come back', async () => {
    const fixture = await openRole();
    const { loan } = await sendSigned(fixture, toS3());
    const keys = fixture.server.records.at(-1)?.verified?.keys;
    const values = loan.values().map((value) => value.reveal());
    const secrets = [keys?.secretAccessKey ?? '', keys?.sessionToken ?? '', keys?.accessKeyId ?? ''];
    const signature = fixture.server.records
      .at(-1)
      ?.request.headers.get('authorization')?.[0]
      ?.split('Signature=')[1];
    expect(values).toEqual([...secrets, signature]);
    for (const secret of secrets) {
      expect(secret).not.toBe('');
      expect(fixture.broker.printed()).not.toContain(secret);
      expect(fixture.broker.redactor.redactText(`it is ${secret}`)).not.toContain(secret);
    }
    expect(JSON.stringify([loan, String(loan)])).not.toContain(keys?.secretAccessKey);
  });

  test.each(['api.github.com', 'amazonaws.com', 's3.amazonaws.com.evil.example', 'x.on.aws'])(
    '[CR-2] is not lent for %s',
    async (host) => {
      const fixture = await openRole();
      expect((await fixture.broker.refusal({ name: 'aws', host })).code).toBe('CredentialNotAllowed');
      expect(minted(fixture)).toBe(0);
    },
  );

  test("[CR-2] does not sign for a machine of somebody else's below amazonaws.com", async () => {
    const fixture = await openRole();
    const host = 'ec2-192-0-2-1.compute-1.amazonaws.com';
    await expect(sendSigned(fixture, toS3({ host }))).rejects.toMatchObject({ code: 'RequestNotSignable' });
  });
});

describe('a role of AWS SSO', () => {
  const sso = (url: string): string =>
    `credentials: { aws: { kind: aws_sso, account_id: "123456789012", role_name: reader, endpoint: "${url}", source: "file:login.json" } }`;
  const login = (accessToken: string, expiresAt: string): string =>
    JSON.stringify({
      startUrl: 'https://example.awsapps.com/start',
      region: 'eu-west-1',
      accessToken,
      expiresAt,
    });

  async function openSso(): Promise<AwsFixture> {
    const fixture = await openAws(sso);
    fixture.server.account.ssoTokens.add('canary-sso-token');
    fixture.server.account.roles.set('123456789012/reader', undefined);
    fixture.broker.write('login.json', login('canary-sso-token', '2026-01-01T08:00:00Z'));
    return fixture;
  }

  test('is got once with the login, and again when its keys end', async () => {
    const fixture = await openSso();
    const all = await Promise.all(Array.from({ length: 100 }, () => sendSigned(fixture, toS3())));
    expect(all.every(({ status }) => status === 200)).toBe(true);
    expect(minted(fixture)).toBe(1);
    expect(fixture.server.records.at(-1)?.verified?.keys.arn).toContain('assumed-role/reader/');
    fixture.broker.clock.advance(2 * 60 * MINUTE);
    expect(await sendSigned(fixture, toS3())).toMatchObject({ status: 200 });
    expect(minted(fixture)).toBe(2);
  });

  test.each([
    { why: 'is over', file: login('canary-sso-token', '2025-12-31T23:59:59Z'), says: 'has expired' },
    {
      why: 'was revoked',
      file: login('canary-other', '2026-01-01T08:00:00Z'),
      says: 'UnauthorizedException',
    },
    { why: 'is no login', file: '{"clientId":"canary-sso-token"}', says: 'does not hold a login' },
    { why: 'is no JSON', file: 'canary-sso-token', says: 'does not hold a login' },
  ])('[CR-1] is a plain refusal when the login $why', async ({ file, says }) => {
    const fixture = await openSso();
    fixture.broker.write('login.json', file);
    const error = await fixture.broker.refusal(asked);
    expect(error.message).toBe('the credential `aws` cannot be had now');
    expect(fixture.broker.printed(error)).toContain(says);
    expect(fixture.broker.printed(error)).not.toContain('canary');
  });
});

const asked = { name: 'aws', host: 's3.eu-west-1.amazonaws.com' };
