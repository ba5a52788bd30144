import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadHostLists } from '../../actions/index.ts';
import { hostOfEntry, type ListedHost } from '../../shared/listed-host.ts';
import { bash, fact, http, policyOf, snapshotOf } from '../gate.fixture.ts';
import { judge } from '../judge.ts';

const lists = loadHostLists(resolve(import.meta.dirname, '../../../../../lists'));
const entries = lists.get('known') ?? [];
const narrow = entries.filter((entry): entry is ListedHost => typeof entry !== 'string');
const network = { default: 'ask', rules: [{ host: '@known', action: 'allow' }] };
const agents = { dev: { permissions: ['allow:*'] } };
const snapshot = snapshotOf(policyOf({ network, agents }, { lists }));

const says = (...args: Parameters<typeof http>): string => judge(http(...args), snapshot).outcome;

describe('the list of known hosts', () => {
  test.each(narrow)('%o: pages are read without a question, and nothing else is', ({ host, paths }) => {
    const path = paths?.[0] ?? '/a';
    expect(says(`GET ${host}${path}`)).toBe('allow');
    expect(says(`HEAD ${host}${path}/b`)).toBe('allow');
    expect(says(`POST ${host}${path}`, {}, { effect: 'write', reach: 'remote' })).toBe('ask');
    expect(says(`GET x.${host}${path}`)).toBe('ask');
    expect(says(`GET ${host}${path}`, { scheme: 'tunnel' })).toBe('ask');
  });

  test.each(narrow.filter(({ paths }) => paths !== undefined))(
    '%o: what else is on the host is somebody else',
    ({ host, paths = [] }) => {
      expect(says(`GET ${host}/somebody/docs`)).toBe('ask');
      for (const path of paths) expect(says(`GET ${host}${path}-of-somebody`)).toBe('ask');
      const command = fact('fetcher', { reach: 'remote', hosts: [{ host }] });
      expect(judge(bash([command]), snapshot).outcome).toBe('ask');
    },
  );

  test('a command that reads a host of the list passes, whatever it reads there', () => {
    const command = fact('fetcher', { reach: 'remote', hosts: [{ host: 'docs.python.org' }] });
    expect(judge(bash([command]), snapshot).outcome).toBe('allow');
  });

  test('a rule that denies a list denies what may be meant by it', () => {
    const mine = new Map([['mine', [{ host: 'files.example', paths: ['/private'] }]]]);
    const closed = snapshotOf(
      policyOf(
        { agents, network: { default: 'allow', rules: [{ host: '@mine', action: 'deny' }] } },
        { lists: mine },
      ),
    );
    const outcome = (...args: Parameters<typeof http>): string => judge(http(...args), closed).outcome;
    expect(outcome('GET files.example/private/x')).toBe('deny');
    expect(outcome('GET files.example/public')).toBe('allow');
    expect(outcome('CONNECT files.example/', { scheme: 'tunnel' })).toBe('deny');
    expect(
      judge(bash([fact('x', { reach: 'remote', hosts: [{ host: 'files.example' }] })]), closed).outcome,
    ).toBe('deny');
  });

  test('each host stands in it once', () => {
    const hosts = entries.map(hostOfEntry);
    expect(hosts.filter((host, index) => hosts.indexOf(host) !== index)).toEqual([]);
  });
});
