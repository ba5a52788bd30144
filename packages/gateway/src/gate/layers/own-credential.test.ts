import type { Action, OwnCredential } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { explainJudgement } from '../explain.ts';
import { bash, fact, http, judged, policyOf, snapshotOf } from '../gate.fixture.ts';
import { judge } from '../judge.ts';

const OPEN = { permissions: ['allow:*'], network: { default: 'allow' } };
const REFUSED = 'deny OwnCredential';
const WHERE = ['header', 'cookie', 'userinfo', 'path', 'query', 'form'] as const;

const request = (where: OwnCredential['where'], host = 'a.example'): Action =>
  http(`GET ${host}/`, { ownCredential: { where, name: 'api_key' } });

const command = (
  where: OwnCredential['where'],
  host: string,
  confinement: Action['actor']['confinement'],
): Action =>
  bash(['ls', fact('curl x', { reach: 'remote', ownCredentials: [{ where, name: 'api_key', host }] })], {
    actor: { confinement },
  });

describe('[CR-9] a credential of the agent’s own', () => {
  test.each(WHERE)('in a request, %s: is refused, whatever the policy allows', (where) => {
    expect(judged(OPEN, request(where))).toBe(REFUSED);
    expect(judged({ ...OPEN, tenants: { default: { exceptions: ['http'] } } }, request(where))).toBe(REFUSED);
  });

  test.each(WHERE)('in a command without a jail, %s: is refused', (where) => {
    expect(judged(OPEN, command(where, 'a.example', 'unconfined'))).toBe(REFUSED);
    expect(judged(OPEN, command(where, '', 'unconfined'))).toBe(REFUSED);
  });

  test.each([
    ['header', 'allow'],
    ['cookie', 'allow'],
    ['userinfo', 'allow'],
    ['path', REFUSED],
    ['query', REFUSED],
    ['form', REFUSED],
  ] as const)(
    'in a command in a jail, %s: %s, because the proxy takes the first three out',
    (where, says) => {
      expect(judged(OPEN, command(where, 'a.example', 'jailed'))).toBe(says);
    },
  );

  test('goes to the hosts of `pass_auth`, and to no others', () => {
    for (const network of [{ default: 'allow', pass_auth: ['*.corp.example'] }]) {
      for (const config of [
        { ...OPEN, network },
        { ...OPEN, tenants: { default: { network } } },
      ]) {
        expect(judged(config, request('query', 'a.corp.example'))).toBe('allow');
        expect(judged(config, request('query', 'corp.example'))).toBe(REFUSED);
        expect(judged(config, command('header', 'a.corp.example', 'unconfined'))).not.toBe(REFUSED);
      }
    }
  });

  test('of a command may stay on this machine; of a request at the proxy it may not', () => {
    expect(judged(OPEN, command('header', 'localhost', 'unconfined'))).not.toBe(REFUSED);
    expect(judged(OPEN, command('query', '127.0.0.1', 'jailed'))).toBe('allow');
    expect(judged(OPEN, request('query', 'localhost'))).toBe(REFUSED);
  });

  test('one host that gets it does not open another', () => {
    const own = (host: string) => ({ where: 'header' as const, name: 'x', host });
    const both = bash([fact('curl x', { ownCredentials: [own('localhost'), own('b.example')] })], {
      actor: { confinement: 'unconfined' },
    });
    expect(judged(OPEN, both)).toBe(REFUSED);
  });

  test('is explained: where it stands, and how one is lent', () => {
    const action = request('query', 'a.example');
    const explained = explainJudgement(judge(action, snapshotOf(policyOf(OPEN))), action);
    expect(explained).toMatchObject({ outcome: 'deny', violation: 'OwnCredential' });
    expect(explained.reason).toBe(
      "the parameter `api_key` of the query carries a credential of the agent's own",
    );
    expect(explained.change.join()).toMatch(/credentials add.*host: a\.example.*routes.*pass_auth/);
  });
});
