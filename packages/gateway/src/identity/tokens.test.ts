import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Secret } from '../shared/secret.ts';
import { clientIdOf, hashToken, matchesToken, newToken, OperatorToken, sameHash } from './tokens.ts';

const A = 'A'.repeat(43);

describe('tokens', () => {
  test('have the prefix of their kind and 256 random bits, and are never the same', () => {
    const tokens = Array.from({ length: 100 }, () => newToken('session').reveal());
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) {
      expect(token).toMatch(/^spt_[A-Za-z0-9_-]{43}$/);
      expect(Buffer.from(token.slice(4), 'base64url')).toHaveLength(32);
    }
  });

  test('cannot be printed by accident', () => {
    const token = newToken('apiKey');
    const printed = [String(token), JSON.stringify({ token }), inspect(token)].join();
    expect(printed).not.toContain(token.reveal().slice(4));
  });

  test.each([
    { text: `spt_${A}`, expected: true, why: 'a session token' },
    { text: `spk_${A}`, expected: false, why: 'an API key is no session token' },
    { text: `spo_${A}`, expected: false, why: 'nor is the operator token' },
    { text: `SPT_${A}`, expected: false, why: 'the prefix is exact' },
    { text: `spt_${A}A`, expected: false, why: 'too long' },
    { text: `spt_${A.slice(1)}`, expected: false, why: 'too short' },
    { text: `spt_${A.slice(1)}=`, expected: false, why: 'not base64url' },
    { text: `spt_${A}\n`, expected: false, why: 'a line end' },
    { text: ` spt_${A}`, expected: false, why: 'a space' },
    { text: '', expected: false, why: 'nothing' },
  ])('$why -> $expected', ({ text, expected }) => {
    expect(matchesToken('session', text)).toBe(expected);
  });

  test('a client id is the start of the hash of the key', () => {
    // sha256("abc"), from FIPS 180-2
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(clientIdOf('abc')).toBe('ba7816bf8f01');
  });

  test('hashes of different length are different, not an error', () => {
    expect(sameHash('ab', 'abc')).toBe(false);
    expect(sameHash('', '')).toBe(true);
    expect(sameHash('abc', 'abd')).toBe(false);
  });
});

describe('OperatorToken', () => {
  const token = new OperatorToken(new Secret(`spo_${A}`));

  test.each([
    { presented: `spo_${A}`, expected: true, why: 'the token' },
    { presented: `spo_${A}\n`, expected: false, why: 'a line end behind it' },
    { presented: `spo_${A} `, expected: false, why: 'one character more' },
    { presented: `spo_${A.slice(1)}`, expected: false, why: 'one character less' },
    { presented: '', expected: false, why: 'nothing' },
  ])('$why -> $expected', ({ presented, expected }) => {
    expect(token.matches(presented)).toBe(expected);
  });

  test('does not show its value', () => {
    expect(inspect(token, { showHidden: true, depth: 5 })).not.toContain(A);
  });
});
