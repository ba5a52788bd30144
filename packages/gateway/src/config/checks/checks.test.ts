import { describe, expect, test } from 'vitest';
import { load, reported } from '../load-config.fixture.ts';
import { isLoopback } from './places.ts';

describe('names in a config', () => {
  test.each([
    {
      why: 'a role that is not there',
      text: 'roles: { owner: {} }\ntenants:\n  t:\n    users: { ana: { roles: [ownr] } }\n',
      expected: 'sallyport.yaml:4:29 there is no role `ownr` | did you mean `owner`?',
    },
    {
      why: 'a role of another tenant',
      text: 'tenants:\n  a: { roles: { r: {} } }\n  b: { users: { u: { roles: [r] } } }\n',
      expected: 'sallyport.yaml:3:30 there is no role `r` | no role is configured here',
    },
    {
      why: 'a default user who is not there',
      text: 'tenants:\n  t:\n    users: { ana: {} }\n    default_user: anna\n',
      expected: 'sallyport.yaml:4:19 there is no user `anna` | did you mean `ana`?',
    },
    {
      why: 'a default user whose name every object knows',
      text: 'tenants: { t: { default_user: toString } }\n',
      expected: 'sallyport.yaml:1:31 there is no user `toString` | no user is configured here',
    },
    {
      why: 'a default agent that is not there',
      text: 'agents: { dev: {} }\ntenants: { t: { default_agent: dve } }\n',
      expected: 'sallyport.yaml:2:32 there is no agent `dve` | did you mean `dev`?',
    },
    {
      why: 'a role for an agent that is not there',
      text: 'agents: { dev: {} }\nroles: { r: { deny: ["agent:dve"] } }\n',
      expected: 'sallyport.yaml:2:22 there is no agent `dve` | did you mean `dev`?',
    },
    {
      why: 'a role of a tenant for an agent of another',
      text: 'tenants:\n  a: { agents: { x: {} } }\n  b: { roles: { r: { allow: ["agent:x"] } } }\n',
      expected: 'sallyport.yaml:3:30 there is no agent `x` | no agent is configured here',
    },
  ])('point at something that exists: $why', ({ text, expected }) => {
    expect(reported(text)).toEqual([expected]);
  });

  test('are looked up in the tenant first, then at the top level', () => {
    const { config } = load(`
agents: { shared: {} }
roles: { reader: { allow: ["agent:own", "agent:sh*"] } }
tenants:
  t:
    agents: { own: {} }
    roles: { writer: { allow: ["agent:own", "agent:shared"] } }
    users: { ana: { roles: [reader, writer] } }
    default_user: ana
    default_agent: shared
`);
    expect(config.tenants.t?.default_agent).toBe('shared');
  });
});

describe('an identity', () => {
  test('[AP-2] belongs to one user of a tenant', () => {
    const text = `tenants:
  t:
    users:
      ana: { identities: { email: Ana@example.com } }
      bob: { identities: { email: ana@Example.com } }
`;
    expect(reported(text)).toEqual([
      'sallyport.yaml:5:35 this `email` identity belongs to user `ana` already | an identity belongs to one user of a tenant',
    ]);
  });

  test('may be used again on another channel and in another tenant', () => {
    const text = `tenants:
  a: { users: { ana: { identities: { discord: "1", telegram: "1" } } } }
  b: { users: { ana: { identities: { discord: "1" } } } }
`;
    expect(load(text).warnings).toEqual([]);
  });
});

describe('an identity that reaches nobody', () => {
  test.each([
    { identity: 'telegram: "@ana"', expected: '`@ana` names nobody on telegram | expected the numeric id' },
    {
      identity: 'telegram: "-1001234"',
      expected: '`-1001234` names nobody on telegram | expected the numeric id',
    },
    { identity: 'telegram: "12 34"', expected: '`12 34` names nobody on telegram | expected the numeric id' },
    { identity: 'email: "ana at example.com"', expected: 'names nobody on email | expected a plain address' },
    {
      identity: 'email: "Ana <ana@example.com>"',
      expected: 'names nobody on email | expected a plain address',
    },
    { identity: 'slack: "@ana"', expected: '`@ana` names nobody on slack | expected a member id' },
    { identity: 'slack: C012AB3CD', expected: '`C012AB3CD` names nobody on slack | expected a member id' },
    {
      identity: 'discord: "ana#1234"',
      expected: '`ana#1234` names nobody on discord | expected the numeric id',
    },
    { identity: 'telegramm: "987"', expected: 'there is no channel `telegramm` | did you mean `telegram`?' },
    { identity: 'toString: x', expected: 'there is no channel `toString`' },
    { identity: 'sms: "+49"', expected: 'there is no channel `sms` | the channels are `telegram`' },
  ])('is found when the config is read: $identity', ({ identity, expected }) => {
    const [problem, ...others] = reported(
      `tenants:\n  t:\n    users: { ana: { identities: { ${identity} } } }\n`,
    );
    expect(problem).toContain(expected);
    expect(problem).toMatch(/^sallyport\.yaml:3:\d+ /);
    expect(others).toEqual([]);
  });

  test('and the ways in which people are named pass', () => {
    const identities =
      '{ terminal: ana, telegram: "987", email: Ana.B+x@Example.com, slack: U012AB3CD, discord: "80351110224678912", webhook: "ana at work", desktop: ana }';
    expect(load(`tenants: { t: { users: { ana: { identities: ${identities} } } } }`).warnings).toEqual([]);
  });
});

describe('listeners', () => {
  test.each([
    { host: '0.0.0.0', why: 'every address' },
    { host: '::', why: 'every address, IPv6' },
    { host: '192.168.1.4', why: 'the local network' },
    { host: 'gateway.example.com', why: 'a name' },
    { host: 'localhost.example.com', why: 'a name that only begins like loopback' },
    { host: '127.0.0.1.nip.io', why: 'a name that only begins like an address' },
    { host: '127.1', why: 'short for loopback here, something else elsewhere' },
    { host: '::ffff:10.0.0.1', why: 'IPv4 inside IPv6' },
  ])('beyond loopback need TLS or consent: $host, $why', ({ host }) => {
    expect(reported(`api: { host: "${host}" }`)[0]).toMatch(/^sallyport.yaml:1:14 listening beyond loopback/);
    expect(load(`api: { host: "${host}", insecure: true }`).config.api.host).toBe(host);
    expect(load(`api: { host: "${host}", tls: { cert: c.pem, key: k.pem } }`).config.api.host).toBe(host);
  });

  test.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost', '::ffff:127.0.0.1'])('are free on %s', (host) => {
    expect(isLoopback(host)).toBe(true);
    expect(load(`api: { host: "${host}" }`).config.api.host).toBe(host);
  });

  test('have ports of their own, and do not say two things about TLS', () => {
    expect(reported('api: { ports: { api: 7181 } }')[0]).toBe(
      'sallyport.yaml:1:8 port 7181 is taken by `api` | give each listener a port of its own, or 0 for any free one',
    );
    expect(load('api: { ports: { api: 0, proxy: 0, ssh: 0, operator: 0 } }').config.api.ports.proxy).toBe(0);
    expect(reported('api: { insecure: true, tls: { cert: c, key: k } }')[0]).toMatch(/contradict each other/);
  });
});

test('two sinks that write to the same place are refused', () => {
  expect(reported('audit:\n  sinks:\n    - { kind: jsonl }\n    - { kind: jsonl }\n')).toEqual([
    'sallyport.yaml:4:7 this sink writes to the same place as sink 1 | remove one of them',
  ]);
  const two = '[{ kind: webhook, url: "https://a.example" }, { kind: webhook, url: "https://b.example" }]';
  expect(load(`audit: { sinks: ${two} }`).config.audit.sinks).toHaveLength(2);
});
