import { expect, test } from 'vitest';
import { didYouMean, suggest } from './suggest.ts';

const KEYS = ['tenants', 'roles', 'agents', 'default_user', 'default_agent', 'log', 'api'];

test.each([
  { word: 'tenant', expected: 'tenants', why: 'a letter left out' },
  { word: 'tennants', expected: 'tenants', why: 'a letter added' },
  { word: 'tenamts', expected: 'tenants', why: 'a letter changed' },
  { word: 'tenatns', expected: 'tenants', why: 'two letters swapped' },
  { word: 'rolse', expected: 'roles', why: 'swapped in a short word' },
  { word: 'ROLES', expected: 'roles', why: 'case' },
  { word: 'default-user', expected: 'default_user', why: 'a dash' },
  { word: 'defaultUser', expected: 'default_user', why: 'camel case' },
  { word: 'lgo', expected: 'log', why: 'three letters' },
  { word: 'xyz', expected: undefined, why: 'nothing near' },
  { word: 'store', expected: undefined, why: 'another word' },
  { word: '', expected: undefined, why: 'nothing' },
  { word: 'x'.repeat(10_000), expected: undefined, why: 'a long word costs nothing' },
])('$word means $expected: $why', ({ word, expected }) => {
  expect(suggest(word, KEYS)).toBe(expected);
});

test('a suggestion is a question in backticks', () => {
  expect(didYouMean('rolse', KEYS)).toBe('did you mean `roles`?');
  expect(didYouMean('xyz', KEYS)).toBeUndefined();
});
