import { rounds } from '@sallyport/testkit/rounds';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

describe('canonicalJson', () => {
  test('agrees with the library on any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        expect(canonicalJson(value)).toBe(canonicalize(value));
      }),
      { numRuns: rounds(2000) },
    );
  });

  test.each([
    ['{"€":1,"\\r":2,"דּ":3,"1":4,"😀":5,"\\u0080":6,"ö":7}', 'sorted by UTF-16 code units'],
    ['[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]', 'numbers'],
    ['["\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"]', 'escapes'],
    ['[-0, 1e21, 1e-7, 9007199254740993]', 'edges of numbers'],
    ['{"__proto__":1,"constructor":2,"":3}', 'hostile keys'],
  ])('%s: %s', (json) => {
    const value: unknown = JSON.parse(json);
    expect(canonicalJson(value)).toBe(canonicalize(value));
  });

  test.each([
    [undefined],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [10n],
    [() => 1],
    [new Date(0)],
    ['\ud800'],
    [{ a: '\udc00' }],
    [{ '\ud800': 1 }],
    [[undefined]],
  ])('refuses %s', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  test('leaves members out that are undefined, as JSON does', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });
});
