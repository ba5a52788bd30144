import type { Action, CommandFact } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { bash, fact, http, judged, mcp } from '../gate.fixture.ts';

const ALL = { permissions: ['allow:*'] };
/** The same section at the top level and in the tenant: both are read. */
const PLACES = [
  { place: 'top level', put: (network: object) => ({ ...ALL, network }) },
  { place: 'tenant', put: (network: object) => ({ ...ALL, tenants: { default: { network } } }) },
] as const;
const get = (request = 'x.example/', over = {}) => http(`GET ${request}`, over);

describe.each(PLACES)('network at the $place', ({ put }) => {
  const says = (network: object, action: Action) => judged(put(network), action);
  const rule = (over: object, action: Action) =>
    says({ default: 'ask', rules: [{ host: 'x.example', action: 'allow', ...over }] }, action);

  test('default answers for what no rule names', () => {
    expect(says({ default: 'allow' }, get())).toBe('allow');
    expect(says({ default: 'ask' }, get())).toBe('ask human');
    expect(says({ default: 'deny' }, get())).toBe('deny DomainNotAllowed');
    expect(says({}, get())).toBe('ask human');
  });

  test('host is one host, all below it, a list, or any', () => {
    const host = (text: string, request: string) => rule({ host: text }, get(request));
    expect(host('x.example', 'x.example/')).toBe('allow');
    expect(host('x.example', 'a.x.example/')).toBe('ask human');
    expect(host('*.x.example', 'a.b.x.example/')).toBe('allow');
    expect(host('*.x.example', 'x.example/')).toBe('ask human');
    expect(host('*.x.example', 'evilx.example/')).toBe('ask human');
    expect(host('@known', 'github.com/')).toBe('allow');
    expect(host('@known', 'evil.example/')).toBe('ask human');
    expect(host('*', 'evil.example/')).toBe('allow');
    expect(host('X.EXAMPLE.', 'x.example/')).toBe('allow');
    expect(host('93.184.216.34', '93.184.216.34/')).toBe('allow');
  });

  test('port narrows a rule', () => {
    expect(rule({ port: 8443 }, get('x.example/', { port: 8443 }))).toBe('allow');
    expect(rule({ port: [443, 8443] }, get())).toBe('allow');
    expect(rule({ port: 8443 }, get())).toBe('ask human');
  });

  test('method narrows a rule', () => {
    expect(rule({ method: 'GET' }, get())).toBe('allow');
    expect(rule({ method: ['POST', 'PATCH'] }, get())).toBe('ask human');
  });

  test('path narrows a rule', () => {
    expect(rule({ path: '/v1/**' }, get('x.example/v1/a'))).toBe('allow');
    expect(rule({ path: '/v1/**' }, get('x.example/v10'))).toBe('ask human');
  });

  test('action is allow, ask or deny, and the first rule that matches counts', () => {
    expect(rule({ action: 'allow' }, get())).toBe('allow');
    expect(rule({ action: 'ask' }, get())).toBe('ask human');
    expect(rule({ action: 'deny' }, get())).toBe('deny DomainNotAllowed');
    const rules = [
      { host: 'x.example', path: '/secret/**', action: 'deny' },
      { host: 'x.example', action: 'allow' },
    ];
    expect(says({ rules }, get('x.example/secret/a'))).toBe('deny DomainNotAllowed');
    expect(says({ rules }, get())).toBe('allow');
  });
});

describe('network', () => {
  test('[GA-8] a host that nothing names asks a person, also without a network section', () => {
    expect(judged(ALL, get())).toBe('ask human');
    expect(
      judged(ALL, {
        ...mcp('x', 'y'),
        target: {
          kind: 'mcp',
          server: 'x',
          tool: 'y',
          named: [{ arg: 'u', kind: 'url', target: get().target }],
        },
      }),
    ).toBe('ask human');
  });

  test('of the lists of tenant and top level the stricter counts, and of the defaults too', () => {
    const both = (top: object, tenant: object) =>
      judged({ ...ALL, network: top, tenants: { default: { network: tenant } } }, get());
    const names = (action: string) => ({ rules: [{ host: 'x.example', action }] });
    expect(both(names('deny'), names('allow'))).toBe('deny DomainNotAllowed');
    expect(both(names('allow'), names('deny'))).toBe('deny DomainNotAllowed');
    expect(both({ default: 'deny' }, names('allow'))).toBe('allow');
    expect(both({ default: 'deny' }, { default: 'allow' })).toBe('deny DomainNotAllowed');
    expect(both({ default: 'allow' }, { default: 'deny' })).toBe('deny DomainNotAllowed');
  });

  test('[GA-8] a command is judged by the host it names, in a session where it reaches out', () => {
    const network = {
      rules: [
        { host: 'evil.example', action: 'deny' },
        { host: 'good.example', action: 'allow' },
      ],
    };
    const curl = (host: string, reach: 'workspace' | 'remote') =>
      bash([fact(`curl ${host}`, { hosts: [{ host }], reach })]);
    expect(judged({ ...ALL, network }, curl('evil.example', 'remote'))).toBe('deny DomainNotAllowed');
    expect(judged({ ...ALL, network }, curl('EVIL.example.', 'remote'))).toBe('deny DomainNotAllowed');
    expect(judged({ ...ALL, network }, curl('good.example', 'remote'))).toBe('allow');
    expect(judged({ ...ALL, network }, curl('other.example', 'remote'))).toBe('ask human');
    expect(judged({ ...ALL, network }, curl('not a host', 'remote'))).toBe('deny DomainNotAllowed');
    expect(judged({ ...ALL, network }, curl('evil.example', 'workspace'))).toBe('allow');
  });

  test('a rule that is about some requests is a doubt where only the host is known', () => {
    const command = bash([fact('curl x.example', { hosts: [{ host: 'x.example' }], reach: 'remote' })]);
    const narrow = (action: string) => ({
      rules: [{ host: 'x.example', method: 'POST', action }],
      default: 'allow',
    });
    expect(judged({ ...ALL, network: narrow('deny') }, command)).toBe('ask human');
    expect(judged({ ...ALL, network: { ...narrow('allow'), default: 'ask' } }, command)).toBe('ask human');
    const rules = [...narrow('deny').rules, { host: 'x.example', action: 'deny' }];
    expect(judged({ ...ALL, network: { rules } }, command)).toBe('deny DomainNotAllowed');
    expect(judged({ ...ALL, network: { ...narrow('deny'), default: 'deny' } }, command)).toBe(
      'deny DomainNotAllowed',
    );
  });

  test('[GA-13] every host of a command counts, and one that nobody can tell asks', () => {
    const network = {
      default: 'allow',
      rules: [
        { host: 'evil.example', action: 'deny' },
        { host: 'new.example', action: 'ask' },
      ],
    };
    const curl = (over: Partial<CommandFact>) =>
      judged({ ...ALL, network }, bash([fact('curl', { reach: 'remote', ...over })]));
    const named = (...hosts: string[]) => curl({ hosts: hosts.map((host) => ({ host })) });
    expect(named('a.example', 'b.example')).toBe('allow');
    expect(named('a.example', 'evil.example')).toBe('deny DomainNotAllowed');
    expect(named('evil.example', 'a.example')).toBe('deny DomainNotAllowed');
    expect(named('a.example', 'new.example', 'b.example')).toBe('ask human');
    expect(named('new.example', 'evil.example')).toBe('deny DomainNotAllowed');
    expect(curl({})).toBe('allow');
    expect(curl({ unknownHosts: true })).toBe('ask human');
    expect(curl({ unknownHosts: true, hosts: [{ host: 'a.example' }] })).toBe('ask human');
    expect(curl({ unknownHosts: true, hosts: [{ host: 'evil.example' }] })).toBe('deny DomainNotAllowed');
  });
});
