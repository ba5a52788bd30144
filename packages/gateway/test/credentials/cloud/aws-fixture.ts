import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { AwsServer, type ServerKeys } from '@sallyport/testkit';
import { onTestFinished } from 'vitest';
import type { LendRequest, Loan } from '../../../src/credentials/index.ts';
import type { OutgoingRequest } from '../../../src/shared/http-message.ts';
import { BrokerFixture, outgoing } from '../broker-fixture.ts';

const PLACEHOLDER = 'AKIAPLACEHOLDER00000';

export interface AwsAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly body: string;
}

/** A broker with credentials of AWS, and a server in AWS's place that checks what it signs. */
export interface AwsFixture {
  readonly broker: BrokerFixture;
  readonly server: AwsServer;
  readonly user: ServerKeys;
}

/** `tenant`: YAML below `tenants.default`, given the server; the source `file:keys.json` holds the keys of a user. */
export async function openAws(tenant: (url: string) => string): Promise<AwsFixture> {
  const clock = { now: (): number => broker?.clock.now() ?? 0 };
  let broker: BrokerFixture | undefined;
  const server = await AwsServer.start({ clock });
  onTestFinished(() => server.close());
  const user = server.account.addUser('ana');
  broker = await BrokerFixture.open({ tenant: tenant(server.url), agents: { dev: ['aws'] } });
  broker.write('keys.json', keyFile(user));
  return { broker, server, user };
}

export function keyFile({ accessKeyId, secretAccessKey }: ServerKeys): string {
  return JSON.stringify({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey });
}

/** What an agent's SDK puts into `Authorization`, signed with a placeholder. */
export function agentSigned(scope: string, signedHeaders = 'host;x-amz-date'): string {
  const algorithm = scope.includes('/') ? 'AWS4-HMAC-SHA256' : 'AWS4-ECDSA-P256-SHA256';
  return `${algorithm} Credential=${PLACEHOLDER}/20260101/${scope}/aws4_request, SignedHeaders=${signedHeaders}, Signature=${'0'.repeat(64)}`;
}

/** A request of an agent to S3, as the proxy hands it over. */
export function toS3(over: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return outgoing({
    host: 's3.eu-west-1.amazonaws.com',
    agentAuthorization: agentSigned('eu-west-1/s3'),
    headers: [
      ['X-Amz-Date', '20200101T000000Z'],
      ['x-amz-security-token', 'sp-placeholder-token'],
      ['x-amz-content-sha256', 'UNSIGNED-PAYLOAD'],
      ['User-Agent', 'aws-cli/2'],
    ],
    ...over,
  });
}

/** Has the credential signed into the request and the request sent; a streamed body goes in pieces of `pieceBytes`. */
export async function sendSigned(
  fixture: AwsFixture,
  request: OutgoingRequest,
  options: {
    readonly streamed?: Uint8Array;
    readonly pieceBytes?: number;
    readonly over?: Partial<LendRequest>;
  } = {},
): Promise<AwsAnswer & { readonly loan: Loan }> {
  const loan = await fixture.broker.lend({ name: 'aws', host: request.host, ...options.over });
  const rewriter = await loan.apply(request);
  const pieces = cut(options.streamed ?? request.body ?? new Uint8Array(), options.pieceBytes ?? 65_536);
  const body =
    rewriter === undefined
      ? Buffer.concat(pieces)
      : Buffer.concat([...pieces.flatMap((piece) => rewriter.push(piece)), ...rewriter.end()]);
  if (rewriter?.bytes !== undefined && rewriter.bytes !== body.length) {
    throw new Error(`${rewriter.bytes} bytes were announced, ${body.length} came`);
  }
  return { ...(await send(fixture.server, request, body)), loan };
}

/** Sends what is there, byte for byte, to the server, whatever host it is for. */
export function send(server: AwsServer, request: OutgoingRequest, body: Uint8Array): Promise<AwsAnswer> {
  const implied = request.port === (request.scheme === 'https' ? 443 : 80);
  const host = implied ? request.host : `${request.host}:${request.port}`;
  const headers = [...request.headers, ['Host', host], ['Content-Length', String(body.length)]];
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      {
        host: '127.0.0.1',
        port: server.port,
        method: request.method,
        path: request.target,
        headers: headers.flat(),
        agent: false,
      },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        const body = bytes.length > 100_000 ? '' : bytes.toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, body });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

/** A body in `aws-chunked`, signed with a placeholder. */
export function chunkedBody(
  chunks: readonly Uint8Array[],
  signatureLength: number,
  trailer?: string,
): Buffer {
  const signature = '0'.repeat(signatureLength);
  const parts = [...chunks, new Uint8Array()].flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)};chunk-signature=${signature}\r\n`),
    chunk,
    chunk.length === 0 ? Buffer.alloc(0) : Buffer.from('\r\n'),
  ]);
  const end = trailer === undefined ? '\r\n' : `${trailer}\r\nx-amz-trailer-signature:${signature}\r\n\r\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}
