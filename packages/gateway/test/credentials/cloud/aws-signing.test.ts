import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { OutgoingRequest } from '../../../src/shared/http-message.ts';
import { headerOf } from '../broker-fixture.ts';
import { type AwsFixture, agentSigned, chunkedBody, openAws, sendSigned, toS3 } from './aws-fixture.ts';

const STATIC = 'credentials: { aws: { kind: aws_static, source: "file:keys.json" } }';

async function open(): Promise<AwsFixture> {
  const fixture = await openAws(() => STATIC);
  fixture.server.store.createBucket('data');
  return fixture;
}

function put(key: string, hash: string, over: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return toS3({
    method: 'PUT',
    target: `/data/${key}`,
    ...over,
    headers: [['x-amz-content-sha256', hash], ['Content-Type', 'text/plain'], ...(over.headers ?? [])],
  });
}

describe('a request to AWS is signed anew, and AWS takes it', () => {
  test.each([
    { target: '/', why: 'the root' },
    { target: '/data?list-type=2&prefix=a%20b&delimiter=%2F', why: 'a query' },
    { target: '/data?list-type=2&prefix=a+b%2Bc', why: 'a plus in the query' },
    { target: '/data?list-type=2&prefix=&x=1&x=0&x', why: 'equal names, empty values' },
    { target: '/data?list-type=2&prefix=%C3%BC~!*%27()', why: 'characters that are escaped or not' },
  ])('$why', async ({ target }) => {
    const fixture = await open();
    const { status, body } = await sendSigned(fixture, toS3({ target }));
    expect(body).toContain(target === '/' ? 'ListAllMyBuckets' : 'ListBucketResult');
    expect(status).toBe(200);
  });

  test.each([
    'plain.txt',
    'a%20b/c%2Bd.txt',
    "raw(1)!*'.txt",
    'x~y%7Ez',
    '%C3%BC/%2F',
    'a//b',
    './dots/../..',
  ])('with the key %s', async (key) => {
    const fixture = await open();
    const body = Buffer.from('hello');
    const answer = await sendSigned(fixture, put(key, sha256(body), { body }));
    expect(answer).toMatchObject({ status: 200 });
    expect(fixture.server.store.get('data', decodeURIComponent(key)).data).toEqual(body);
  });

  test('[CR-3] with nothing left of what the agent signed', async () => {
    const fixture = await open();
    const request = toS3();
    await sendSigned(fixture, request);
    const [record] = fixture.server.records;
    expect(record?.refused).toBeUndefined();
    expect(JSON.stringify([...(record?.request.headers ?? [])])).not.toContain('placeholder');
    expect(JSON.stringify([...(record?.request.headers ?? [])])).not.toContain('PLACEHOLDER');
    expect(headerOf(request, 'x-amz-security-token')).toBeUndefined();
    expect(headerOf(request, 'x-amz-date')).toBe('20260101T000000Z');
    expect(record?.verified?.keys).toEqual(fixture.user);
  });

  test('of any other service, with the whole body signed', async () => {
    const fixture = await open();
    const body = Buffer.from('{"TableName":"x"}');
    const request = toS3({
      ...{ host: 'dynamodb.eu-west-1.amazonaws.com', method: 'POST', target: '/', body },
      agentAuthorization: agentSigned('eu-west-1/dynamodb', 'content-type;host;x-amz-date;x-amz-target'),
      headers: [
        ['Content-Type', 'application/x-amz-json-1.0'],
        ['X-Amz-Target', 'DynamoDB_20120810.DescribeTable'],
      ],
    });
    expect(await sendSigned(fixture, request)).toMatchObject({ status: 200, body: '{}' });
    expect(fixture.server.records[0]?.verified).toMatchObject({ service: 'dynamodb', payload: 'implied' });
  });

  test('of a service whose paths are escaped twice', async () => {
    const fixture = await open();
    const request = toS3({
      ...{
        host: 'lambda.eu-west-1.amazonaws.com',
        target: '/2015-03-31/functions/arn%3Aaws%3Alambda%20x/../y/',
      },
      agentAuthorization: agentSigned('eu-west-1/lambda'),
      headers: [],
    });
    expect(await sendSigned(fixture, request)).toMatchObject({ status: 200 });
  });

  test('that the agent did not sign at all', async () => {
    const fixture = await open();
    const { agentAuthorization: _, ...bare } = toS3({ headers: [] });
    expect(await sendSigned(fixture, bare)).toMatchObject({ status: 200 });
    expect(fixture.server.records[0]?.verified).toMatchObject({ service: 's3', region: 'eu-west-1' });
  });

  test('says before a body is streamed that it needs it whole, and refuses to sign without', async () => {
    const fixture = await open();
    const request = toS3({
      ...{ host: 'dynamodb.eu-west-1.amazonaws.com', method: 'POST', isStreamed: true, headers: [] },
      agentAuthorization: agentSigned('eu-west-1/dynamodb'),
    });
    const loan = await fixture.broker.lend({ name: 'aws', host: request.host });
    expect(loan.needsWholeBody(request)).toBe(true);
    expect(loan.needsWholeBody(toS3({ isStreamed: true }))).toBe(false);
    await expect(Promise.resolve(loan.apply(request))).rejects.toMatchObject({ code: 'RequestNotSignable' });
  });
});

describe('a body is signed the way that the agent chose', () => {
  const data = randomBytes(200_000);

  test('unsigned', async () => {
    const fixture = await open();
    const request = put('a', 'UNSIGNED-PAYLOAD', { isStreamed: true });
    expect(await sendSigned(fixture, request, { streamed: data })).toMatchObject({ status: 200 });
    expect(fixture.server.store.get('data', 'a').data).toEqual(data);
  });

  test('as a whole: hashed here when it is at hand, as the agent says when it is not', async () => {
    const fixture = await open();
    const replaced = put('a', sha256(Buffer.from('before a placeholder was replaced')), { body: data });
    expect(await sendSigned(fixture, replaced)).toMatchObject({ status: 200 });
    const streamed = put('b', sha256(data), { isStreamed: true });
    expect(await sendSigned(fixture, streamed, { streamed: data })).toMatchObject({ status: 200 });
    const lying = put('c', sha256(Buffer.from('x')), { isStreamed: true });
    const answer = await sendSigned(fixture, lying, { streamed: data });
    expect(answer.body).toContain('XAmzContentSHA256Mismatch');
  });

  test.each([
    { algorithm: 'HMAC-SHA256', scope: 'eu-west-1/s3', length: 64 },
    { algorithm: 'ECDSA-P256-SHA256', scope: 's3', length: 144 },
  ])('chunk by chunk, with and without a trailer: $algorithm', async ({ algorithm, scope, length }) => {
    const fixture = await open();
    const chunks = [data.subarray(0, 65_536), data.subarray(65_536, 131_072), data.subarray(131_072)];
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(data));
    for (const trailer of [undefined, `x-amz-checksum-crc32:${checksum.toString('base64')}`]) {
      const streamed = chunkedBody(chunks, length, trailer);
      const mode = `STREAMING-AWS4-${algorithm}-PAYLOAD${trailer === undefined ? '' : '-TRAILER'}`;
      const request = put(`big${trailer?.length}`, mode, {
        ...{ isStreamed: true, streamedBytes: streamed.length, agentAuthorization: agentSigned(scope) },
        headers: [
          ['content-encoding', 'aws-chunked'],
          ['x-amz-decoded-content-length', String(data.length)],
          ...(trailer === undefined ? [] : ([['x-amz-trailer', 'x-amz-checksum-crc32']] as const)),
        ],
      });
      const answer = await sendSigned(fixture, request, { streamed, pieceBytes: 4_099 });
      expect(answer).toMatchObject({ status: 200 });
      expect(fixture.server.records.at(-1)?.verified).toMatchObject({ chunks: 3, payload: mode });
      expect(fixture.server.store.get('data', `big${trailer?.length}`).data).toEqual(data);
    }
  });

  test('in unsigned chunks with a trailer, which pass as they are', async () => {
    const fixture = await open();
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(data));
    const streamed = Buffer.concat([
      Buffer.from(`${data.length.toString(16)}\r\n`),
      data,
      Buffer.from(`\r\n0\r\nx-amz-checksum-crc32:${checksum.toString('base64')}\r\n\r\n`),
    ]);
    const request = put('a', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', {
      isStreamed: true,
      headers: [
        ['content-encoding', 'aws-chunked'],
        ['x-amz-decoded-content-length', String(data.length)],
        ['x-amz-trailer', 'x-amz-checksum-crc32'],
      ],
    });
    expect(await sendSigned(fixture, request, { streamed })).toMatchObject({ status: 200 });
    expect(fixture.server.store.get('data', 'a').data).toEqual(data);
  });

  test('and in no way that is not known', async () => {
    const fixture = await open();
    for (const hash of [
      'STREAMING-AWS4-HMAC-SHA256-EVENTS',
      'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD',
      'x',
    ]) {
      await expect(sendSigned(fixture, put('a', hash))).rejects.toMatchObject({ code: 'RequestNotSignable' });
    }
    expect(fixture.server.records).toHaveLength(0);
  });
});

describe('a URL that the agent presigned is presigned anew', () => {
  const presigned = (target: string, over: Partial<OutgoingRequest> = {}): OutgoingRequest =>
    toS3({
      target: `${target}${target.includes('?') ? '&' : '?'}X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAPLACEHOLDER%2F20200101%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20200101T000000Z&X-Amz-Expires=604800&X-Amz-SignedHeaders=host&X-Amz-Security-Token=old&X-Amz-Signature=00`,
      agentAuthorization: undefined,
      headers: [],
      ...over,
    });

  test('for a download and an upload, and for a short time only', async () => {
    const fixture = await open();
    const body = Buffer.from('hello');
    const upload = presigned('/data/a%20b', { method: 'PUT', body });
    expect(await sendSigned(fixture, upload)).toMatchObject({ status: 200 });
    const download = presigned('/data/a%20b?response-content-type=text%2Fplain');
    expect(await sendSigned(fixture, download)).toMatchObject({ status: 200, body: 'hello' });
    expect(fixture.server.records.every(({ verified }) => verified?.place === 'query')).toBe(true);
    expect(download.target).toContain('X-Amz-Expires=300');
    expect(download.target).not.toMatch(/PLACEHOLDER|Security-Token|20200101/);
    expect(download.target).toContain('response-content-type=text%2Fplain');
  });

  test('with SigV4a it is signed in the head instead', async () => {
    const fixture = await open();
    const request = toS3({
      target:
        '/data?list-type=2&X-Amz-Algorithm=AWS4-ECDSA-P256-SHA256&X-Amz-Credential=AKIAPLACEHOLDER%2F20200101%2Fs3%2Faws4_request&X-Amz-Region-Set=eu-*&X-Amz-SignedHeaders=host&X-Amz-Signature=00',
      agentAuthorization: undefined,
      headers: [],
    });
    expect(await sendSigned(fixture, request)).toMatchObject({ status: 200 });
    expect(fixture.server.records[0]?.verified).toMatchObject({
      algorithm: 'AWS4-ECDSA-P256-SHA256',
      region: 'eu-*',
    });
  });
});

function sha256(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
