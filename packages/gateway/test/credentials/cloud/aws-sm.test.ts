import { describe, expect, test } from 'vitest';
import { headerOf } from '../broker-fixture.ts';
import { type AwsFixture, openAws } from './aws-fixture.ts';

const CANARY = 'canary-0a1b2c3d4e5f';

/** A bearer token whose source is a secret of AWS. */
function open(reference: string): Promise<AwsFixture> {
  return openAws((url) =>
    [
      `credentials: { aws: { kind: bearer, source: "${reference}", hosts: [api.example.com] } }`,
      `sources: { aws-sm: { aws_sm: { region: eu-west-1, keys: "file:keys.json", endpoint: "${url}" }, cache_ttl: 60 } }`,
    ].join('\n'),
  );
}

describe('a secret of AWS Secrets Manager', () => {
  test.each([
    { reference: 'aws-sm:prod/api', secret: CANARY, why: 'as a whole' },
    { reference: 'aws-sm:prod/api#token', secret: JSON.stringify({ token: CANARY, x: 1 }), why: 'by field' },
    { reference: 'aws-sm:prod/api', secret: Buffer.from(CANARY), why: 'from bytes' },
  ])('is read once $why', async ({ reference, secret }) => {
    const fixture = await open(reference);
    fixture.server.account.secrets.set('prod/api', secret);
    const sent = await Promise.all(Array.from({ length: 100 }, () => fixture.broker.sent({ name: 'aws' })));
    expect(sent.every((request) => headerOf(request, 'authorization') === `Bearer ${CANARY}`)).toBe(true);
    expect(fixture.server.records).toHaveLength(1);
    expect(fixture.server.records[0]?.verified).toMatchObject({
      service: 'secretsmanager',
      region: 'eu-west-1',
    });
    fixture.broker.clock.advance(60_000);
    await fixture.broker.sent({ name: 'aws' });
    expect(fixture.server.records).toHaveLength(2);
  });

  test.each([
    { reference: 'aws-sm:prod/missing', why: 'there is none', says: 'ResourceNotFoundException' },
    { reference: 'aws-sm:prod/api#other', why: 'there is no such field', says: 'there is no field' },
    { reference: 'aws-sm:prod/text#token', why: 'it has no fields', says: 'is not JSON' },
    { reference: 'aws-sm:prod/empty', why: 'it is empty', says: 'is empty' },
    { reference: 'aws-sm:prod/bytes', why: 'it is no text', says: 'no text' },
    { reference: 'aws-sm:../api', why: 'its name climbs', says: 'characters that are not taken' },
  ])('[CR-1] is a plain refusal when $why', async ({ reference, says }) => {
    const fixture = await open(reference);
    fixture.server.account.secrets.set('prod/api', JSON.stringify({ token: CANARY }));
    fixture.server.account.secrets.set('prod/text', CANARY);
    fixture.server.account.secrets.set('prod/empty', '  ');
    fixture.server.account.secrets.set('prod/bytes', Buffer.from([0xff, 0xfe, 0xfd]));
    const error = await fixture.broker.refusal({ name: 'aws' });
    expect(error.message).toBe('the credential `aws` cannot be had now');
    expect(fixture.broker.printed(error)).toContain(says);
    expect(fixture.broker.printed(error)).not.toContain(CANARY);
    expect(fixture.broker.printed(error)).not.toContain(fixture.user.secretAccessKey);
  });

  test('is refused when the keys are', async () => {
    const fixture = await open('aws-sm:prod/api');
    fixture.server.account.secrets.set('prod/api', CANARY);
    fixture.server.account.revoke(fixture.user.accessKeyId);
    const error = await fixture.broker.refusal({ name: 'aws' });
    expect(fixture.broker.printed(error)).toContain('InvalidAccessKeyId');
    expect(fixture.broker.printed(error)).not.toContain(fixture.user.accessKeyId);
  });
});
