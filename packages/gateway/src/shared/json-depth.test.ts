import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDeepJson, isDeepValue } from './json-depth.ts';

const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

describe('the depth of JSON', () => {
  test.each([
    ['lists', nested(100), nested(101)],
    ['objects', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`],
  ])('of %s is bounded', (_what, most, more) => {
    expect(isDeepJson(most)).toBe(false);
    expect(isDeepJson(more)).toBe(true);
    expect(isDeepValue(JSON.parse(most))).toBe(false);
    expect(isDeepValue(JSON.parse(more))).toBe(true);
  });

  test('brackets in a text do not count, whatever stands before its quotes', () => {
    expect(isDeepJson(JSON.stringify({ a: `\\"${'['.repeat(1000)}` }))).toBe(false);
    expect(isDeepJson(`{"a\\\\":${nested(1000)}}`)).toBe(true);
    expect(isDeepJson(`["${'\\\\'.repeat(200)}",${nested(1000)}]`)).toBe(true);
  });

  test('a million levels cost no stack', () => {
    expect(isDeepJson(nested(1_000_000))).toBe(true);
    expect(isDeepValue(JSON.parse(nested(100_000)))).toBe(true);
  });

  test('text and value agree', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(110), (value, levels) => {
        const text = `${'['.repeat(levels)}${JSON.stringify(value)}${']'.repeat(levels)}`;
        expect(isDeepJson(text)).toBe(isDeepValue(JSON.parse(text)));
      }),
    );
  });
});
