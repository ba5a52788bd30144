import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeServer, createTestCa, listenOnFreePort, requireEngine } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OutgoingRequest } from '../../../src/shared/http-message.ts';
import { type AwsFixture, openAws, sendSigned } from './aws-fixture.ts';

const engine = requireEngine('aws');
const run = promisify(execFile);
const BYTES = 12 * 1024 * 1024 + 17;

/** What stands between the command and AWS: takes the command's own auth away and has the request signed anew. */
async function startForwarder(fixture: AwsFixture): Promise<{ url: string; ca: string }> {
  const ca = await createTestCa();
  const server: Server = createServer(await ca.issue(['localhost']), async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const dropped = ['host', 'authorization', 'content-length', 'transfer-encoding', 'connection', 'expect'];
    const headers = Object.entries(incoming.headers).filter(([name]) => !dropped.includes(name));
    const request: OutgoingRequest = {
      ...{ tenant: 'default', scheme: 'http', host: 'localhost', port: fixture.server.port },
      method: incoming.method ?? '',
      target: incoming.url ?? '',
      headers: headers.map(([name, value]) => [name, String(value)]),
      agentAuthorization: incoming.headers.authorization,
      ...(incoming.method === 'PUT'
        ? { isStreamed: true }
        : { isStreamed: false, body: Buffer.concat(chunks) }),
    };
    const answer = await sendSigned(fixture, request, { streamed: Buffer.concat(chunks) });
    response.writeHead(answer.status, answer.headers);
    response.end(answer.bytes);
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => closeServer(server));
  return { url: `https://localhost:${port}`, ca: ca.cert };
}

describe.skipIf(engine.missing)(`the stock aws command (${engine.install})`, () => {
  test('with a placeholder reads, and uploads in parts and chunks; AWS takes every signature', async () => {
    const fixture = await openAws(
      () => 'credentials: { aws: { kind: aws_static, source: "file:keys.json", hosts: [localhost] } }',
    );
    const { url, ca } = await startForwarder(fixture);
    const { home } = fixture.broker;
    const file = (name: string): string => join(home, name);
    const big = randomBytes(BYTES);
    writeFileSync(file('big'), big);
    writeFileSync(file('ca.pem'), ca);
    const aws = async (...words: string[]): Promise<string> => {
      const { stdout } = await run('aws', ['--endpoint-url', url, ...words], {
        env: {
          ...{
            PATH: process.env.PATH,
            HOME: home,
            AWS_CA_BUNDLE: file('ca.pem'),
            AWS_DEFAULT_REGION: 'eu-west-1',
          },
          ...{ AWS_ACCESS_KEY_ID: 'sp-placeholder-id', AWS_SECRET_ACCESS_KEY: 'sp-placeholder-secret' },
          ...{
            AWS_SESSION_TOKEN: 'sp-placeholder-token',
            NO_PROXY: 'localhost',
            AWS_EC2_METADATA_DISABLED: 'true',
          },
        },
      });
      return stdout;
    };
    fixture.server.store.createBucket('data');
    const chunked = ['--bucket', 'data', '--key', 'chunked', '--checksum-algorithm', 'CRC32'];
    const [identity] = await Promise.all([
      aws('sts', 'get-caller-identity'),
      aws('s3', 'cp', '--no-progress', file('big'), 's3://data/a b/big+(1)'),
      aws('s3api', 'put-object', ...chunked, '--body', file('big')),
    ]);
    expect(identity).toContain(fixture.user.arn);
    expect(fixture.server.store.get('data', 'a b/big+(1)').data.equals(big)).toBe(true);
    expect(fixture.server.store.get('data', 'a b/big+(1)').parts).toBe(2);
    expect(fixture.server.store.get('data', 'chunked').data.equals(big)).toBe(true);
    const { records } = fixture.server;
    expect(records.filter(({ refused }) => refused !== undefined)).toEqual([]);
    expect(records.map(({ verified }) => verified?.payload)).toContain('STREAMING-UNSIGNED-PAYLOAD-TRAILER');
    expect(records.every(({ verified }) => verified?.keys.arn === fixture.user.arn)).toBe(true);
  });
});
