import { SallyportError } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import type { OutgoingRequest } from '../../../shared/http-message.ts';
import { readAgentSigning } from './agent-signing.ts';
import { splitTarget } from './query.ts';
import { resolveScope, type SigningScope } from './signing-scope.ts';

function request(host: string, over: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return {
    ...{ tenant: 't', scheme: 'https', host, port: 443, method: 'GET', target: '/' },
    ...{ headers: [], isStreamed: false },
    ...over,
  };
}

function signed(scope: string, algorithm = 'AWS4-HMAC-SHA256'): string {
  return `${algorithm} Credential=AKIAPLACEHOLDER/20260101/${scope}/aws4_request, SignedHeaders=host, Signature=00`;
}

function scopeOf(outgoing: OutgoingRequest, region?: string): SigningScope {
  const agent = readAgentSigning(outgoing.agentAuthorization, splitTarget(outgoing.target).query);
  return resolveScope(outgoing, agent, region);
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof SallyportError) return error.code;
    throw error;
  }
  return 'nothing was refused';
}

describe('service and region', () => {
  test.each([
    { host: 's3.eu-west-1.amazonaws.com', service: 's3', region: 'eu-west-1' },
    { host: 'a.b.s3.eu-west-1.amazonaws.com', service: 's3', region: 'eu-west-1' },
    { host: 'bucket.s3.dualstack.eu-west-1.amazonaws.com', service: 's3', region: 'eu-west-1' },
    { host: 'bucket.s3-eu-west-1.amazonaws.com', service: 's3', region: 'eu-west-1' },
    { host: 'bucket.s3.amazonaws.com', service: 's3', region: 'us-east-1' },
    { host: 's3.cn-north-1.amazonaws.com.cn', service: 's3', region: 'cn-north-1' },
    { host: 'ap-123.s3-accesspoint.eu-west-1.amazonaws.com', service: 's3', region: 'eu-west-1' },
    { host: 'bucket.vpce-1-2.s3.eu-west-1.vpce.amazonaws.com', service: 's3', region: 'eu-west-1' },
    { host: 'sts.amazonaws.com', service: 'sts', region: 'us-east-1' },
    { host: 'sts.us-gov-west-1.amazonaws.com', service: 'sts', region: 'us-gov-west-1' },
    { host: 'kms-fips.us-east-2.amazonaws.com', service: 'kms', region: 'us-east-2' },
    { host: 'eu-west-1.queue.amazonaws.com', service: 'sqs', region: 'eu-west-1' },
    { host: 'search-x.eu-west-1.es.amazonaws.com', service: 'es', region: 'eu-west-1' },
    { host: 'email.eu-west-1.amazonaws.com', service: 'ses', region: 'eu-west-1' },
    { host: 'bedrock-runtime.eu-west-1.amazonaws.com', service: 'bedrock', region: 'eu-west-1' },
    { host: 'api.ecr.eu-west-1.amazonaws.com', service: 'ecr', region: 'eu-west-1' },
    { host: 'abc.execute-api.eu-west-1.amazonaws.com', service: 'execute-api', region: 'eu-west-1' },
    { host: 'lambda.eu-west-1.api.aws', service: 'lambda', region: 'eu-west-1' },
  ])('are read from $host when the agent signed nothing', ({ host, service, region }) => {
    expect(scopeOf(request(host))).toEqual({ algorithm: 'AWS4-HMAC-SHA256', service, region });
  });

  test('are those that the agent signed for, where the host bears them out', () => {
    const global = request('iam.amazonaws.com', { agentAuthorization: signed('us-east-1/iam') });
    expect(scopeOf(global, 'eu-west-1')).toMatchObject({ service: 'iam', region: 'us-east-1' });
    const anywhere = request('b.s3.amazonaws.com', { agentAuthorization: signed('eu-west-3/s3') });
    expect(scopeOf(anywhere)).toMatchObject({ service: 's3', region: 'eu-west-3' });
  });

  test('are what the agent says on a host that the config names', () => {
    const minio = request('minio.example.com', { agentAuthorization: signed('here/s3') });
    expect(scopeOf(minio)).toMatchObject({ service: 's3', region: 'here' });
    expect(scopeOf(request('minio.example.com'), 'eu-west-1')).toMatchObject({
      service: 's3',
      region: 'eu-west-1',
    });
  });

  test('of SigV4a are a set of regions', () => {
    const mrap = request('x.accesspoint.s3-global.amazonaws.com', {
      agentAuthorization: signed('s3', 'AWS4-ECDSA-P256-SHA256'),
      headers: [['X-Amz-Region-Set', 'eu-west-1,us-*']],
    });
    expect(scopeOf(mrap)).toEqual({
      algorithm: 'AWS4-ECDSA-P256-SHA256',
      service: 's3',
      region: 'eu-west-1,us-*',
    });
  });

  test.each([
    { host: 's3.eu-west-1.amazonaws.com', scope: 'us-east-1/s3', why: 'another region than the host' },
    { host: 's3.eu-west-1.amazonaws.com', scope: 'eu-west-1/iam', why: 'another service than the host' },
    { host: 'ec2-192-0-2-1.compute-1.amazonaws.com', scope: 'us-east-1/iam', why: "a customer's machine" },
    {
      host: 'ec2-192-0-2-1.eu-west-1.compute.amazonaws.com',
      scope: 'eu-west-1/sts',
      why: "a customer's machine with a region",
    },
    { host: 'x.eu-west-1.elb.amazonaws.com', scope: 'eu-west-1/sts', why: "a customer's load balancer" },
    { host: 'x.elb.eu-west-1.amazonaws.com', scope: 'eu-west-1/sts', why: 'the same, the other way round' },
    { host: 'x.execute-api.eu-west-1.amazonaws.com', scope: 'eu-west-1/iam', why: "a customer's API" },
    {
      host: 'vpce-1.vpce-svc-2.eu-west-1.vpce.amazonaws.com',
      scope: 'eu-west-1/sts',
      why: "a customer's private endpoint",
    },
    { host: 'b.s3-website.eu-west-1.amazonaws.com', scope: 'eu-west-1/s3', why: 'a web page in S3' },
    { host: 'constructor.amazonaws.com', scope: 'us-east-1/s3', why: 'a name that every object has' },
  ])('that contradict the host are refused: $why', ({ host, scope }) => {
    const outgoing = request(host, { agentAuthorization: signed(scope) });
    expect(refusal(() => scopeOf(outgoing))).toBe('RequestNotSignable');
  });

  test.each([
    { auth: 'AWS4-HMAC-SHA256 Credential=x', why: 'cut short' },
    { auth: signed('eu-west-1/s3/more'), why: 'a scope with too many parts' },
    { auth: signed('eu west/s3'), why: 'a blank in the scope' },
    { auth: signed('s3', 'AWS4-HMAC-SHA512'), why: 'an unknown algorithm' },
  ])('that cannot be read are refused: $why', ({ auth }) => {
    const outgoing = request('s3.eu-west-1.amazonaws.com', { agentAuthorization: auth });
    expect(refusal(() => scopeOf(outgoing))).toBe('RequestNotSignable');
  });

  test.each([
    { target: '/?X-Amz-Signature=0&X-Amz-Algorithm=AWS4-HMAC-SHA256', why: 'no credential' },
    { target: '/?X-Amz-Signature=0&X-Amz-Signature=1', why: 'two signatures' },
    { target: '/?AWSAccessKeyId=x&Signature=y&Expires=1', why: 'signature version 2' },
    { target: '/?x=%zz', why: 'a broken escape' },
    { target: '/?x=%ff', why: 'an escape that is not UTF-8' },
  ])('of a URL that cannot be read are refused: $why', ({ target }) => {
    const outgoing = request('s3.eu-west-1.amazonaws.com', { target });
    expect(refusal(() => scopeOf(outgoing))).toBe('RequestNotSignable');
  });
});
