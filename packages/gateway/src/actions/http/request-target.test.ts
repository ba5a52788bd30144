import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeRequestTarget } from './request-target.ts';

describe('normalizeRequestTarget', () => {
  test.each([
    { target: '/', path: '/', why: 'the root' },
    { target: '/a/b?c=d', path: '/a/b', why: 'the query is apart' },
    { target: '/%61/%7Eb', path: '/a/~b', why: 'escapes of unreserved characters are those characters' },
    { target: '/a%3ab', path: '/a%3Ab', why: 'other escapes stay, in upper case' },
    { target: '/a/', path: '/a/', why: 'a trailing slash stays' },
    { target: '*', path: '*', why: 'the server itself' },
    { target: '/a/..', path: '/', rewritten: true, why: 'back at the root' },
    { target: '/a/./b', path: '/a/b', rewritten: true, why: 'a dot' },
    { target: '/repos/a/../admin', path: '/repos/admin', rewritten: true, why: 'two dots' },
    { target: '/repos/a/%2e%2e/admin', path: '/repos/admin', rewritten: true, why: 'two encoded dots' },
    { target: '/repos/a/.%2E/admin', path: '/repos/admin', rewritten: true, why: 'one of two encoded' },
    { target: '/a/b/..', path: '/a/', rewritten: true, why: 'a last one leaves the folder' },
    { target: '//evil.example/a', path: '/evil.example/a', rewritten: true, why: 'no second host' },
    { target: '/a//b', path: '/a/b', rewritten: true, why: 'an empty segment' },
    { target: '/a/...', path: '/a/...', why: 'three dots are a name' },
    { target: '/a%2fb', path: '/a%2Fb', veiled: true, why: 'an encoded slash is kept and flagged' },
    { target: '/a%5Cb', path: '/a%5Cb', veiled: true, why: 'so is an encoded backslash' },
    { target: '/a%252fb', path: '/a%252fb', veiled: true, why: 'and what a second decoding would find' },
    { target: '/a%2f..b', path: '/a%2F..b', veiled: true, why: 'dots of a name stay where they are' },
  ])('$why: $target', ({ target, path, rewritten = false, veiled = false }) => {
    expect(normalizeRequestTarget(target)).toEqual({
      path,
      query: target.split('?')[1] ?? '',
      rewritten,
      veiled,
    });
  });

  test.each([
    { target: '', why: 'nothing' },
    { target: 'a', why: 'no slash' },
    { target: 'https://example.com/', why: 'absolute form' },
    { target: '*?a', why: 'the server has no query' },
    { target: '/..', why: 'above the root' },
    { target: '/a/../../b', why: 'above the root, later' },
    { target: '/%2e%2e/b', why: 'above the root, encoded' },
    { target: '/a\\b', why: 'a backslash' },
    { target: '/a\0', why: 'a NUL' },
    { target: '/a%00', why: 'an encoded NUL' },
    { target: '/a%0A', why: 'an encoded line feed' },
    { target: '/a%7f', why: 'an encoded delete' },
    { target: '/a b', why: 'a space' },
    { target: '/a\u00e9', why: 'a raw letter beyond ASCII' },
    { target: '/a%', why: 'half an escape' },
    { target: '/a%g0', why: 'no escape' },
    { target: '/%c0%af', why: 'an overlong slash' },
    { target: '/%e0%80%af', why: 'a longer one' },
    { target: '/%f0%80%80%af', why: 'the longest' },
    { target: '/a/..;x/b', why: 'dots with a parameter' },
    { target: '/a%2f../b', why: 'dots behind an encoded slash' },
    { target: '/a/..%5Cb', why: 'dots before an encoded backslash' },
    { target: '/a/%252e%252E/b', why: 'dots that are encoded twice' },
    { target: '/a/%2e%2E;/b', why: 'the same, encoded' },
    { target: '/a#b', why: 'a fragment' },
    { target: '/a?b#c', why: 'a fragment behind the query' },
    { target: '/a?b c', why: 'a space in the query' },
  ])('refuses $why: $target', ({ target }) => {
    expect(normalizeRequestTarget(target).problem).toBeTypeOf('string');
  });

  const hostilePath = fc
    .array(fc.constantFrom('a', '.', '/', '%2e', '%2F', '%2f', '%61', '%25', ';', '..', '~', '%3A', '%zz'), {
      maxLength: 12,
    })
    .map((parts) => `/${parts.join('')}`);

  test('a normalised path is normal', () => {
    fc.assert(
      fc.property(hostilePath, (target) => {
        const once = normalizeRequestTarget(target);
        if (once.problem !== undefined) return;
        const twice = normalizeRequestTarget(once.path);
        expect(twice.path).toBe(once.path);
        expect(twice.rewritten).toBe(false);
      }),
    );
  });

  test('no dot segment survives', () => {
    fc.assert(
      fc.property(hostilePath, (target) => {
        const { path, problem } = normalizeRequestTarget(target);
        if (problem === undefined) expect(path.split('/')).not.toContain('..');
      }),
    );
  });
});
