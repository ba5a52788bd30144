import { describe, expect, test } from 'vitest';
import { presentedToken } from './bearer.ts';

describe('presentedToken', () => {
  test.each([
    { why: 'no header', header: undefined, expected: { kind: 'none' } },
    { why: 'a token', header: 'Bearer spt_abc', expected: { kind: 'token', token: 'spt_abc' } },
    { why: 'a scheme in lower case', header: 'bearer x', expected: { kind: 'token', token: 'x' } },
    { why: 'an empty header', header: '', expected: { kind: 'malformed' } },
    { why: 'a scheme alone', header: 'Bearer', expected: { kind: 'malformed' } },
    { why: 'an empty token', header: 'Bearer ', expected: { kind: 'malformed' } },
    { why: 'two tokens', header: 'Bearer a b', expected: { kind: 'malformed' } },
    { why: 'a list', header: 'Bearer a, Bearer b', expected: { kind: 'malformed' } },
    { why: 'another scheme', header: 'Basic YTpi', expected: { kind: 'malformed' } },
    { why: 'no scheme', header: 'spt_abc', expected: { kind: 'malformed' } },
    { why: 'two spaces', header: 'Bearer  a', expected: { kind: 'malformed' } },
    { why: 'letters beyond ASCII', header: 'Bearer tökèn', expected: { kind: 'malformed' } },
    { why: 'a token too long', header: `Bearer ${'x'.repeat(513)}`, expected: { kind: 'malformed' } },
  ])('$why: $expected.kind', ({ header, expected }) => {
    const headers = header === undefined ? {} : { authorization: header };
    expect(presentedToken({ headers })).toEqual(expected);
  });
});
