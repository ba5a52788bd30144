import { describe, expect, test } from 'vitest';
import type { EnrollmentSecretHash } from '../store/index.ts';
import { checkEnrollment, type EnrollmentClaim } from './enrollment-check.ts';
import { hashToken, sameHash } from './tokens.ts';

const secret = (id: string, tenant: string, agent?: string): EnrollmentSecretHash => ({
  id,
  tenant,
  agent,
  hash: hashToken(`secret-${id}`),
});
const LIVE = [
  secret('1', 'red'),
  secret('2', 'red', 'helper'),
  secret('3', 'blue'),
  secret('4', 'blue', 'helper'),
];
const claim = (over: Partial<EnrollmentClaim>): EnrollmentClaim => ({
  tenant: 'red',
  agent: 'main',
  secret: 'secret-1',
  ...over,
});

const CLAIMS = [
  { over: {}, proof: '1', why: 'the tenant’s secret opens any agent' },
  { over: { agent: undefined }, proof: '1', why: 'or the default, whichever that is' },
  { over: { secret: 'secret-2', agent: 'helper' }, proof: '2', why: 'an agent’s own secret' },
  { over: { secret: 'secret-2' }, proof: undefined, why: 'an agent’s own secret for another agent' },
  { over: { secret: 'secret-2', agent: undefined }, proof: undefined, why: 'or for no agent' },
  { over: { secret: 'secret-3' }, proof: undefined, why: 'the secret of another tenant' },
  { over: { secret: 'secret-4', agent: 'helper' }, proof: undefined, why: 'and of its agent' },
  { over: { tenant: 'nobody' }, proof: undefined, why: 'an unknown tenant with a secret that exists' },
  { over: { secret: 'wrong' }, proof: undefined, why: 'a wrong secret' },
  { over: { secret: '' }, proof: undefined, why: 'an empty secret' },
  { over: { secret: hashToken('secret-1') }, proof: undefined, why: 'the hash instead of the secret' },
];

describe('checkEnrollment', () => {
  test.each(CLAIMS)('$why -> $proof', ({ over, proof }) => {
    expect(checkEnrollment(claim(over), LIVE)?.id).toBe(proof);
  });

  test.each(CLAIMS)('[ID-6] compares with every live secret, right or wrong ($why)', ({ over }) => {
    const compared: string[] = [];
    checkEnrollment(claim(over), LIVE, (a, b) => {
      compared.push(b);
      return sameHash(a, b);
    });
    expect(compared).toEqual(LIVE.map(({ hash }) => hash));
  });
});
