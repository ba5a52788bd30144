import { describe, expect, test } from 'vitest';
import type { OutgoingRequest } from '../../../src/shared/http-message.ts';
import { type AwsFixture, chunkedBody, openAws, send, toS3 } from './aws-fixture.ts';

const CHUNK = Buffer.alloc(10_000, 'a');

interface Sent {
  readonly fixture: AwsFixture;
  readonly request: OutgoingRequest;
  body: Buffer;
}

/** A signed upload in two chunks, ready to be sent. */
async function signedUpload(): Promise<Sent> {
  const fixture = await openAws(() => 'credentials: { aws: { kind: aws_static, source: "file:keys.json" } }');
  fixture.server.store.createBucket('data');
  const request = toS3({
    ...{ method: 'PUT', target: '/data/key?x=1', isStreamed: true },
    headers: [
      ['x-amz-content-sha256', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'],
      ['x-amz-decoded-content-length', '20000'],
      ['x-amz-meta-note', 'first'],
      ['Accept', 'text/plain'],
    ],
  });
  const loan = await fixture.broker.lend({ name: 'aws', host: request.host });
  const rewriter = await loan.apply(request);
  const body = chunkedBody([CHUNK, CHUNK], 64);
  return {
    fixture,
    request,
    body: Buffer.concat([...(rewriter?.push(body) ?? []), ...(rewriter?.end() ?? [])]),
  };
}

function edit({ request }: Sent, name: string, change: (value: string) => string): void {
  request.headers = request.headers.map(([own, value]) => [own, own === name ? change(value) : value]);
}

describe('the server that stands in for AWS', () => {
  test('takes a request as it was signed, and what is not signed may change', async () => {
    const sent = await signedUpload();
    edit(sent, 'Accept', () => 'text/html');
    expect(await send(sent.fixture.server, sent.request, sent.body)).toMatchObject({ status: 200 });
    expect(sent.fixture.server.store.get('data', 'key').data).toHaveLength(20_000);
  });

  test.each([
    {
      what: 'the method',
      code: 'SignatureDoesNotMatch',
      change: (sent: Sent) => (sent.request.method = 'POST'),
    },
    {
      what: 'the path',
      code: 'SignatureDoesNotMatch',
      change: (sent: Sent) => (sent.request.target = '/data/kez?x=1'),
    },
    {
      what: 'the query',
      code: 'SignatureDoesNotMatch',
      change: (sent: Sent) => (sent.request.target = '/data/key?x=2'),
    },
    {
      what: 'a signed header',
      code: 'SignatureDoesNotMatch',
      change: (sent: Sent) => edit(sent, 'x-amz-meta-note', () => 'second'),
    },
    {
      what: 'a header that had to be signed',
      code: 'AccessDenied',
      change: (sent: Sent) => sent.request.headers.push(['x-amz-acl', 'public-read']),
    },
    {
      what: 'the region of the scope',
      code: 'SignatureDoesNotMatch',
      change: (sent: Sent) => edit(sent, 'authorization', (value) => value.replace('eu-west-1', 'us-east-1')),
    },
    {
      what: 'the service of the scope',
      code: 'SignatureDoesNotMatch',
      change: (sent: Sent) => edit(sent, 'authorization', (value) => value.replace('/s3/', '/sts/')),
    },
    {
      what: 'the time: later than 15 minutes',
      code: 'RequestTimeTooSkewed',
      change: ({ fixture }: Sent) => fixture.broker.clock.advance(15 * 60_000 + 1_000),
    },
    {
      what: 'the keys: revoked',
      code: 'InvalidAccessKeyId',
      change: ({ fixture }: Sent) => fixture.server.account.revoke(fixture.user.accessKeyId),
    },
    {
      what: 'one byte of the second chunk',
      code: 'SignatureDoesNotMatch',
      change: (sent: Sent) => (sent.body[15_000] = 0x62),
    },
    {
      what: 'the order of the chunks',
      code: 'SignatureDoesNotMatch',
      change: (sent: Sent) => {
        const half = sent.body.indexOf('\r\n', 10_050) + 2;
        const end = sent.body.lastIndexOf('0;chunk');
        const { body } = sent;
        sent.body = Buffer.concat([body.subarray(half, end), body.subarray(0, half), body.subarray(end)]);
      },
    },
    {
      what: 'the end of the body',
      code: 'IncompleteBody',
      change: (sent: Sent) => (sent.body = sent.body.subarray(0, sent.body.lastIndexOf('0;chunk'))),
    },
  ])('takes nothing that was changed after: $what', async ({ change, code }) => {
    const sent = await signedUpload();
    change(sent);
    const answer = await send(sent.fixture.server, sent.request, sent.body);
    expect(answer.body).toContain(`<Code>${code}</Code>`);
    expect(sent.fixture.server.records.at(-1)?.refused).toBe(code);
  });

  test('takes no presigned URL after its time', async () => {
    const { fixture } = await signedUpload();
    const request = toS3({
      target:
        '/data?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=x%2F20200101%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20200101T000000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=00',
      agentAuthorization: undefined,
      headers: [],
    });
    const loan = await fixture.broker.lend({ name: 'aws', host: request.host });
    await loan.apply(request);
    expect(await send(fixture.server, request, Buffer.alloc(0))).toMatchObject({ status: 200 });
    fixture.broker.clock.advance(61_000);
    expect((await send(fixture.server, request, Buffer.alloc(0))).body).toContain('Request has expired');
  });
});
