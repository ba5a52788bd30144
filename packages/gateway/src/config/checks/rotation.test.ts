import { describe, expect, test } from 'vitest';
import { load, reported } from '../load-config.fixture.ts';

const config = (source: string, more = '', sources = ''): string => `tenants:
  t:
    sources: { ${sources} }
    credentials:
      api: { kind: oauth2, token_url: "https://id.example.com/token", client_id: x, hosts: [api.example.com], source: "${source}"${more} }
`;
const stores = 'team: { read: "get {key}", write: "put {key}" }, dumb: { read: "get {key}" }';

describe('a refresh token that its provider replaces', () => {
  test.each([
    { source: 'file:oauth.json', why: 'a file' },
    { source: 'vault:kv/oauth', why: 'Vault' },
    { source: 'team:oauth', why: 'a command that stores' },
  ])('may be kept in $why', ({ source }) => {
    expect(load(config(source, '', stores)).warnings).toEqual([]);
  });

  test.each([
    { source: 'env:OAUTH', why: 'the environment' },
    { source: 'op://dev/oauth/token', why: 'a password manager that is only read' },
    { source: 'aws-sm:oauth', why: 'Secrets Manager, which is only read' },
    { source: 'dumb:oauth', why: 'a command that only reads' },
  ])('is an error at load where it cannot be stored back: $why', ({ source }) => {
    const [problem = ''] = reported(config(source, '', stores));
    expect(problem).toContain('a refresh token that is replaced at each use cannot be stored back to');
    expect(problem).toContain('rotates: false');
  });

  test('is no matter where the config says that it is not replaced', () => {
    expect(load(config('env:OAUTH', ', rotates: false')).warnings).toEqual([]);
  });
});

describe('kinds of the clouds are checked when the config is loaded', () => {
  const one = (credential: string): string => `tenants: { t: { credentials: { c: { ${credential} } } } }`;
  test.each([
    { credential: 'kind: aws_assume_role, source: "env:X", region: eu-west-1, role_arn: nope', why: 'ARN' },
    {
      credential: 'kind: aws_assume_role, source: "env:X", role_arn: "arn:aws:iam::123456789012:role/x"',
      why: 'no region',
    },
    { credential: 'kind: aws_static, source: AKIAEXAMPLE', why: 'a pasted key' },
    {
      credential: 'kind: aws_sso, source: "env:X", account_id: 12, role_name: x',
      why: 'an account as a number',
    },
    { credential: 'kind: gcp_adc, source: "env:X"', why: 'a source that would not be used' },
    {
      credential: 'kind: gcp_static, source: "env:X", token_url: "http://id.example.com"',
      why: 'plain http',
    },
    {
      credential: 'kind: gcp_impersonate, source: "env:X", account: "a/../b"',
      why: 'an account that climbs',
    },
    { credential: 'kind: github_app, source: "env:X", app_id: 1', why: 'no installation' },
    {
      credential: 'kind: oauth2, source: "file:x", client_id: x, token_url: "https://id.example.com"',
      why: 'no hosts',
    },
  ])('$why', ({ credential }) => {
    expect(reported(one(credential))).toHaveLength(1);
  });

  test.each([
    'kind: aws_static, source: "env:X", region: eu-west-1',
    'kind: aws_assume_role, source: "env:X", region: eu-west-1, role_arn: "arn:aws-us-gov:iam::123456789012:role/a/b"',
    'kind: aws_sso, source: "file:x", account_id: "123456789012", role_name: x',
    'kind: gcp_static, source: "env:X"',
    'kind: gcp_impersonate, source: "env:X", account: "a@b.iam.gserviceaccount.com"',
    'kind: gcp_adc',
    'kind: github_app, source: "env:X", app_id: Iv1.abc, installation_id: 1',
  ])('and this is right: %s', (credential) => {
    expect(load(one(credential)).warnings).toEqual([]);
  });
});
