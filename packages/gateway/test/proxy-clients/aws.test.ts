import { randomBytes } from 'node:crypto';
import { AwsServer, createTestCa, requireEngine } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { openReach } from './clients-fixture.ts';

const engine = requireEngine('aws');
const BYTES = 9 * 1024 * 1024 + 17;

describe.skipIf(engine.missing)(`the stock aws command (${engine.install})`, () => {
  test('reads, and uploads in parts and in chunks, with keys of its own making; AWS takes every signature', async () => {
    const ca = await createTestCa();
    await using aws = await AwsServer.start({ tls: { ca, names: ['localhost'] } });
    const user = aws.account.addUser('ana');
    aws.store.createBucket('data');
    await using reach = await openReach({
      ca,
      env: { KEYS: `${user.accessKeyId}:${user.secretAccessKey}` },
      agent: '{ permissions: ["allow:*"], credentials: ["aws:data"] }',
      tenant: `
credentials: { "aws:data": { kind: aws_static, source: "env:KEYS", hosts: [localhost], region: eu-west-1 } }
exceptions: ["aws", "http"]`,
      top: `
routes: [{ host: localhost, port: ${aws.port}, credential: "aws:data" }]
providers: [{ host: "localhost:${aws.port}", provider: aws }]`,
    });
    const big = randomBytes(BYTES);
    const file = await reach.file('big', big);
    const run = async (...words: string[]): Promise<string> => {
      const ran = await reach.run('aws', ['--endpoint-url', aws.url, ...words], {
        env: {
          AWS_ACCESS_KEY_ID: 'AKIAOFTHEAGENT000000',
          AWS_SECRET_ACCESS_KEY: 'whatever',
          AWS_DEFAULT_REGION: 'eu-west-1',
          AWS_EC2_METADATA_DISABLED: 'true',
        },
      });
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      return ran.stdout;
    };
    const chunked = ['--bucket', 'data', '--key', 'chunked', '--checksum-algorithm', 'CRC32', '--body', file];
    const [identity] = await Promise.all([
      run('sts', 'get-caller-identity'),
      run('s3', 'cp', '--no-progress', file, 's3://data/a b/big+(1)'),
      run('s3api', 'put-object', ...chunked),
    ]);
    expect(identity).toContain(user.arn);
    expect(aws.store.get('data', 'a b/big+(1)').data.equals(big)).toBe(true);
    expect(aws.store.get('data', 'a b/big+(1)').parts).toBe(2);
    expect(aws.store.get('data', 'chunked').data.equals(big)).toBe(true);
    expect(await run('s3', 'ls', 's3://data/')).toContain('chunked');
    const { records } = aws;
    expect(records.filter(({ refused }) => refused !== undefined)).toEqual([]);
    expect(records.map(({ verified }) => verified?.payload)).toContain('STREAMING-UNSIGNED-PAYLOAD-TRAILER');
    expect(records.every(({ verified }) => verified?.keys.arn === user.arn)).toBe(true);
    expect(await reach.eventsOnce('ProxyEvent::RequestAllowed', records.length)).toHaveLength(records.length);
  });
});
