import { SallyportError } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { compileProviderHosts } from './provider-hosts.ts';

describe('compileProviderHosts', () => {
  test.each([
    { host: 'api.github.com', port: 443, provider: 'github', why: 'built in' },
    { host: 'api.github.com', port: 8443, provider: 'github', why: 'built in, on any port' },
    { host: 'bucket.s3.amazonaws.com', port: 443, provider: 'aws', why: 'below a built-in wildcard' },
    {
      host: 'x.gr7.eu-west-1.eks.amazonaws.com',
      port: 443,
      provider: 'kubernetes',
      why: 'the longer wildcard',
    },
    { host: 'amazonaws.com', port: 443, provider: undefined, why: 'a wildcard does not cover its parent' },
    { host: 'evilamazonaws.com', port: 443, provider: undefined, why: 'nor a name that only ends alike' },
    {
      host: 'api.github.com.evil.example',
      port: 443,
      provider: undefined,
      why: 'nor one that only begins alike',
    },
    { host: '127.0.0.1', port: 11434, provider: 'ollama', why: 'configured with its port' },
    { host: '127.0.0.1', port: 11435, provider: undefined, why: 'not on another port' },
    { host: '::1', port: 11434, provider: 'ollama', why: 'IPv6 with its port' },
    { host: 'a.b.corp.example', port: 1, provider: 'gitlab', why: 'a configured wildcard' },
    { host: 'special.corp.example', port: 1, provider: 'github', why: 'exact goes before wildcard' },
    { host: 'gitlab.com', port: 443, provider: 'git', why: 'configured goes before built in' },
    { host: 'xn--bcher-kva.example', port: 443, provider: 'npm', why: 'configured in Unicode' },
  ])('$why: $host:$port is $provider', ({ host, port, provider }) => {
    const lookup = compileProviderHosts([
      { host: '127.0.0.1:11434', provider: 'ollama' },
      { host: '[::1]:11434', provider: 'ollama' },
      { host: '*.corp.example', provider: 'gitlab' },
      { host: 'special.corp.example', provider: 'github' },
      { host: 'gitlab.com', provider: 'git' },
      { host: 'Bücher.example', provider: 'npm' },
    ]);
    expect(lookup(host, port)?.name).toBe(provider);
  });

  test('[NE-11] only a host that is named as it is, is fixed', () => {
    const lookup = compileProviderHosts([{ host: '*.corp.example', provider: 'openai' }]);
    expect(lookup('api.anthropic.com', 443)?.isFixed).toBe(true);
    expect(lookup('acme.openai.azure.com', 443)?.isFixed).toBe(false);
    expect(lookup('a.corp.example', 443)?.isFixed).toBe(false);
  });

  test('a discovered registry never takes a source host away from its own classifier', () => {
    const lookup = compileProviderHosts(
      [{ host: 'mirror.example', provider: 'npm' }],
      [
        { host: 'github.com:443', provider: 'cargo' },
        { host: 'mirror.example:443', provider: 'pypi' },
        { host: 'packages.example:443', provider: 'pypi' },
      ],
    );
    expect(lookup('github.com', 443)?.name).toBe('github');
    expect(lookup('mirror.example', 443)?.name).toBe('npm');
    expect(lookup('packages.example', 443)?.name).toBe('pypi');
  });

  test.each([
    { host: '*', provider: 'github', why: 'a wildcard over everything' },
    { host: 'a/b', provider: 'github', why: 'a path' },
    { host: 'a:0', provider: 'github', why: 'no port' },
    { host: 'a:70000', provider: 'github', why: 'a port beyond the last' },
    { host: 'user@a', provider: 'github', why: 'userinfo' },
    { host: 'a.example', provider: 'gitub', why: 'a provider with a typo' },
    { host: 'a.example', provider: 'constructor', why: 'a name that objects have' },
  ])('refuses $why', ({ host, provider }) => {
    expect(() => compileProviderHosts([{ host, provider }])).toThrow(SallyportError);
  });
});
