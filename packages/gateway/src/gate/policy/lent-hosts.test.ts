import { describe, expect, test } from 'vitest';
import { http, judged } from '../gate.fixture.ts';

const SOURCE = { source: 'env:X' };
const credentials = {
  one: { kind: 'bearer', ...SOURCE, hosts: ['api.one.example', '*.two.example'] },
  aws: { kind: 'aws_static', ...SOURCE },
  linear: { kind: 'linear', ...SOURCE },
  slack: { kind: 'slack', ...SOURCE },
  datadog: { kind: 'datadog', ...SOURCE },
  gcp: { kind: 'gcp_adc' },
};
const routes = [
  { host: 'own-data.s3.eu-central-1.amazonaws.com', credential: 'aws' },
  { host: '*.amazonaws.com', credential: 'aws' },
];
const says = (request: string, over: object, network: object = { default: 'ask' }, more: object = {}) =>
  judged(
    { permissions: ['allow:*'], network, tenants: { default: { credentials, routes } } },
    http(request, over, more),
  );

describe('[GA-16] a credential names the hosts that it was set up for, and no others', () => {
  test.each([
    ['one', 'api.one.example'],
    ['aws', 'sts.amazonaws.com'],
    ['aws', 'ec2.eu-central-1.amazonaws.com'],
    ['aws', 'logs.us-gov-west-1.amazonaws.com'],
    ['aws', 'ec2.eu-central-1.api.aws'],
    ['aws', 'own-data.s3.eu-central-1.amazonaws.com'],
    ['linear', 'api.linear.app'],
    ['slack', 'slack.com'],
    ['datadog', 'api.datadoghq.eu'],
    ['datadog', 'api.us3.datadoghq.com'],
  ])('with %s lent, reads of %s do not ask for being new', (credential, host) => {
    expect(says(`GET ${host}/`, { credential })).toBe('allow');
    expect(says(`GET ${host}/`, {})).toBe('ask human');
    expect(says(`GET ${host}/`, { credential: 'other' })).toBe('ask human');
    expect(says(`GET ${host}/`, { credential, scheme: 'tunnel' })).toBe('ask human');
    expect(says(`POST ${host}/`, { credential })).toBe('ask human');
  });

  test.each([
    ['one', 'a.two.example'],
    ['one', 'api.one.example.evil.example'],
    ['aws', 'free-space.s3.eu-central-1.amazonaws.com'],
    ['aws', 'free-space.s3.amazonaws.com'],
    ['aws', 's3.eu-central-1.amazonaws.com'],
    ['aws', 's3-fips.us-east-1.amazonaws.com'],
    ['aws', 'sqs.eu-central-1.amazonaws.com'],
    ['aws', 'abc123.execute-api.eu-central-1.amazonaws.com'],
    ['aws', 'x-1.eu-central-1.elb.amazonaws.com'],
    ['aws', 'ec2-1-2-3-4.eu-central-1.compute.amazonaws.com'],
    ['aws', 'ec2-1-2-3-4.compute-1.amazonaws.com'],
    ['aws', 'api.linear.app'],
    ['linear', 'slack.com'],
    ['slack', 'acme.slack.com'],
    ['datadog', 'app.datadoghq.eu'],
    ['gcp', 'storage.googleapis.com'],
    ['gcp', 'compute.googleapis.com'],
  ])('with %s lent, %s asks', (credential, host) => {
    expect(says(`GET ${host}/`, { credential })).toBe('ask human');
  });

  test('a rule about the host stands over it, and so does what is denied', () => {
    const linear = { credential: 'linear' };
    const rule = (action: string) => ({ default: 'ask', rules: [{ host: 'api.linear.app', action }] });
    expect(says('GET api.linear.app/', linear, { default: 'deny' })).toBe('deny DomainNotAllowed');
    expect(says('GET api.linear.app/', linear, rule('deny'))).toBe('deny DomainNotAllowed');
    expect(says('GET api.linear.app/', linear, rule('ask'))).toBe('ask human');
  });
});
