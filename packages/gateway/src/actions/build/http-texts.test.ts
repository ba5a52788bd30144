import { rounds } from '@sallyport/testkit/rounds';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visibleText } from '../../shared/visible-text.ts';
import { headerName } from './header-name.ts';
import { EMPTY_BODY, type HttpInput, httpTexts } from './http-texts.ts';

// What has to be escaped, what looks like an escape, and what does not: all of it must come out as the library's.
const piece = fc.constantFrom(
  'a',
  'Z9',
  ' ',
  '"',
  '\\',
  '\n',
  '\t',
  '\u0001',
  '\u007f',
  'é',
  '€',
  '😀',
  '\\n',
  '\u2028',
);
const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
const plain = fc.constantFrom('', 'a', 'application/json', 'Bearer x', 'ü', 'q=1, b=2');
const either = fc.oneof(plain, plain, plain, text);

const input: fc.Arbitrary<HttpInput> = fc.record({
  body: fc.record({
    bytes: fc.option(fc.nat()),
    complete: fc.boolean(),
    sha256: fc.constantFrom(null, EMPTY_BODY, 'ab'),
    shown: either,
  }),
  headers: fc.array(fc.tuple(either, either), { maxLength: 4 }),
  method: fc.constantFrom('GET', 'get', 'P"T'),
  url: either,
});

const headOf = ({ headers, method, url }: HttpInput): string =>
  `${method} ${url}${headers.map(([name, value]) => `\n${name}: ${value}`).join('')}`;

describe('httpTexts', () => {
  test("are the library's own texts, whether or not something has to be escaped", () => {
    let plainHeads = 0;
    fc.assert(
      fc.property(input, (given) => {
        const head = headOf(given);
        if (!/["\\\n\t]/.test(given.url + given.headers.flat().join(''))) plainHeads += 1;
        const whole = given.body.shown === '' ? head : `${head}\n\n${given.body.shown}`;
        const expected = { input: canonicalize(given), preview: canonicalize(whole) };
        expect(httpTexts(given, whole, head)).toEqual(expected);
        const shown = visibleText(`${head}\n\n${given.body.shown}`);
        expect(httpTexts(given, shown, undefined)).toEqual({ ...expected, preview: canonicalize(shown) });
      }),
      { numRuns: rounds(2000) },
    );
    // Both ways were taken.
    expect(plainHeads).toBeGreaterThan(rounds(100));
    expect(plainHeads).toBeLessThan(rounds(1900));
  });

  test.each<[string, Partial<HttpInput>, string]>([
    ['a line break inside a value', { headers: [['a', 'b\nc: d']] }, 'GET u\na: b\nc: d'],
    ['a value that ends the list', { headers: [['a', '"],["x","']] }, 'GET u\na: "],["x","'],
    ['a line break in the URL and no header', { url: 'u\nv', headers: [] }, 'GET u\nv'],
  ])('%s is no way to look like another request', (_why, over, head) => {
    const body = { bytes: null, complete: true, sha256: EMPTY_BODY, shown: '' };
    const given = { body, headers: [], method: 'GET', url: 'u', ...over };
    expect(httpTexts(given, head, head).input).toBe(canonicalize(given));
  });

  test.each([
    ['a value', { headers: [['a', '\ud800']] as const }],
    ['a name', { headers: [['\udc00', 'a']] as const }],
    ['the URL', { url: '\ud800' }],
    ['the body', { body: { bytes: 1, complete: true, sha256: 'ab', shown: 'a\ud800' } }],
  ])('refuse half a character in %s', (_where, over) => {
    const body = { bytes: null, complete: true, sha256: EMPTY_BODY, shown: '' };
    const given: HttpInput = { body, headers: [], method: 'GET', url: 'u', ...over };
    expect(() => httpTexts(given, headOf(given), headOf(given))).toThrow(TypeError);
  });
});

describe('headerName', () => {
  test.each([
    ['authorization', true],
    ['Cookie', true],
    ['x-amz-security-token', true],
    ['X-Hub-Signature-256', true],
    ['accept', false],
    ['x-author-note', false],
  ])('%s is hidden: %s, the first time and the next', (name, hidden) => {
    for (let turn = 0; turn < 2; turn += 1)
      expect(headerName(name).redacted).toEqual(hidden ? [name, '[redacted]'] : undefined);
  });

  test('a name that is too long to be kept is read all the same', () => {
    const name = `x-${'a'.repeat(100)}-token`;
    for (let turn = 0; turn < 2; turn += 1) expect(headerName(name).redacted?.[0]).toBe(name);
  });
});
