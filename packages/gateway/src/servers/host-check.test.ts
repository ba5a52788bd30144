import { describe, expect, test } from 'vitest';
import { explainForeignRequest, type HostFacts } from './host-check.ts';

const policy = { allowedHosts: ['gate.internal', '::2', 'other.internal:8443'], scheme: 'http' } as const;
const facts = (over: Partial<HostFacts>): HostFacts => ({
  host: ['127.0.0.1:7180'],
  origin: [],
  fetchSite: undefined,
  ...over,
});

describe('explainForeignRequest', () => {
  test.each<{ why: string; facts: Partial<HostFacts> }>([
    { why: 'loopback address with port', facts: {} },
    { why: 'localhost without port', facts: { host: ['localhost'] } },
    { why: 'upper case', facts: { host: ['LOCALHOST:7180'] } },
    { why: 'IPv6 loopback', facts: { host: ['[::1]:7180'] } },
    { why: 'a configured name', facts: { host: ['gate.internal:443'] } },
    { why: 'a configured IPv6 address', facts: { host: ['[::2]'] } },
    { why: 'a configured name with its port', facts: { host: ['Other.Internal:8443'] } },
    { why: 'own origin', facts: { origin: ['http://127.0.0.1:7180'] } },
    { why: 'typed into the address bar', facts: { fetchSite: 'none' } },
    { why: 'own page', facts: { fetchSite: 'same-origin' } },
  ])('serves $why', ({ facts: over }) => {
    expect(explainForeignRequest(facts(over), policy)).toBeUndefined();
  });

  test.each<{ why: string; facts: Partial<HostFacts> }>([
    { why: 'a rebound name', facts: { host: ['evil.test:7180'] } },
    { why: 'our name as a prefix', facts: { host: ['localhost.evil.test'] } },
    { why: 'our name as a suffix', facts: { host: ['evil-localhost'] } },
    { why: 'user info before the name', facts: { host: ['localhost@evil.test'] } },
    { why: 'a path in the header', facts: { host: ['localhost/x'] } },
    { why: 'a trailing dot', facts: { host: ['localhost.'] } },
    { why: 'the address in another notation', facts: { host: ['2130706433'] } },
    { why: 'another loopback address', facts: { host: ['127.0.0.2'] } },
    { why: 'no Host header', facts: { host: [] } },
    { why: 'an empty Host header', facts: { host: [''] } },
    { why: 'two Host headers', facts: { host: ['localhost', 'localhost'] } },
    { why: 'a subdomain of a configured name', facts: { host: ['a.gate.internal'] } },
    { why: 'another port of a name configured with one', facts: { host: ['other.internal:8444'] } },
    { why: 'a name configured with a port, without it', facts: { host: ['other.internal'] } },
    { why: 'a foreign origin', facts: { origin: ['https://evil.test'] } },
    { why: 'another port of this machine', facts: { origin: ['http://127.0.0.1:3000'] } },
    { why: 'another scheme', facts: { origin: ['https://127.0.0.1:7180'] } },
    { why: 'an opaque origin', facts: { origin: ['null'] } },
    { why: 'two origins', facts: { origin: ['http://127.0.0.1:7180', 'http://127.0.0.1:7180'] } },
    { why: 'a cross-site GET without Origin', facts: { fetchSite: 'cross-site' } },
    { why: 'a GET from another local port', facts: { fetchSite: 'same-site' } },
  ])('refuses $why', ({ facts: over }) => {
    expect(explainForeignRequest(facts(over), policy)).toBeTypeOf('string');
  });
});
