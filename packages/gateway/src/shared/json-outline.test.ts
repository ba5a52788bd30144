import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOutline } from './json-outline.ts';

const read = (text: string | Uint8Array) =>
  readOutline(typeof text === 'string' ? new TextEncoder().encode(text) : text);

describe('the outline of a JSON text', () => {
  test('is what JSON.parse says, as long as no string is long', () => {
    const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (members, indent) => {
        const text = JSON.stringify(members, undefined, indent);
        if (Buffer.byteLength(text) < 160) expect({ ...read(text) }).toEqual(JSON.parse(text));
        else expect(read(text)).toBeDefined();
      }),
      { numRuns: rounds(500) },
    );
  });

  test('is read where JSON.parse reads, and from nothing else', () => {
    const piece = fc.constantFrom(
      ...'{ } [ ] , : " "a" "b" "\\u0061" "\\x" 1 -1 01 1. .5 1e5 -  true false null tru \\ \u0001 é '.split(
        ' ',
      ),
      ' ',
      '\n',
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => `{${pieces.join('')}}`);
    fc.assert(
      fc.property(text, (given) => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(given);
        } catch {
          expect(read(given)).toBeUndefined();
          return;
        }
        const found = read(given);
        // A key twice in one object is the only other reason.
        if (found !== undefined) expect(JSON.parse(JSON.stringify(found))).toEqual(parsed);
      }),
      { numRuns: rounds(3000) },
    );
  });

  test.each([
    ['nothing', ''],
    ['a list', '[]'],
    ['a text', '"a"'],
    ['a byte-order mark', '\ufeff{}'],
    ['something behind it', '{} x'],
    ['a second object', '{}{}'],
    ['a NUL behind it', '{}\u0000'],
    ['a key twice', '{"a":1,"a":2}'],
    ['a key twice, in two spellings', '{"mcp_servers":[],"\\u006dcp_servers":[1]}'],
    ['a key twice, further down', '{"a":[{"b":1,"b":1}]}'],
    ['a comment', '{/**/}'],
    ['a comma at the end', '{"a":1,}'],
    ['a single quote', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['a word of JavaScript', '{"a":constructor}'],
    ['a raw line break in a text', '{"a":"\n"}'],
    ['a wrong escape', '{"a":"\\x41"}'],
    ['half an escape', '{"a":"\\u00"}'],
    ['an end inside an escape', '{"a":"\\'],
    ['an end inside', '{"a":[1,2'],
    ['a leading zero', '{"a":01}'],
    ['a key without quotes', '{a:1}'],
  ])('%s is not read', (_why, text) => {
    expect(read(text)).toBeUndefined();
  });

  test('what is not UTF-8 is not read', () => {
    expect(read(Buffer.from('7b2261223a22ff227d', 'hex'))).toBeUndefined();
    expect(read(Buffer.from('{"a":1}', 'utf16le'))).toBeUndefined();
  });

  test('keys are read as they are meant, `__proto__` too', () => {
    expect(Object.keys(read('{"\\u006dcp_servers":1,"__proto__":{"a":1}}') ?? {})).toEqual([
      'mcp_servers',
      '__proto__',
    ]);
  });

  test('of a long text the beginning is kept, and never half an escape or half a character', () => {
    for (const unit of ['a', 'é', '😀', '\\n', '\\u0041', '\\\\', '\\ud83d\\ude00']) {
      for (let lead = 0; lead < 8; lead += 1) {
        const text = `{"a":"${'x'.repeat(lead)}${unit.repeat(500)}","b":1}`;
        const found = read(text);
        expect(found?.b).toBe(1);
        const whole = String((JSON.parse(text) as { a: string }).a);
        const kept = String(found?.a);
        expect(kept.endsWith('…')).toBe(true);
        // Half of a pair of escapes may stay: what is kept is only looked at from its beginning.
        expect(whole.startsWith(kept.slice(0, -2))).toBe(true);
      }
    }
  });

  test('a deep text is not read, and costs nothing', () => {
    expect(read(`{"a":${'['.repeat(99)}${']'.repeat(99)}}`)).toBeDefined();
    expect(read(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`)).toBeUndefined();
    expect(read(`{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`)).toBeUndefined();
    expect(read('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))).toBeUndefined();
  });

  test('a text with very many parts is not read to its end', () => {
    expect(read(`{"a":[${'0,'.repeat(200_000)}0]}`)).toBeDefined();
    expect(read(`{"a":[${'{},'.repeat(4_000_000)}{}]}`)).toBeUndefined();
  });

  test('a large prompt is read in a moment', () => {
    const prompt = 'const a = "b";\n\tif (x) { return `y`; }\n'.repeat(200_000);
    const bytes = new TextEncoder().encode(JSON.stringify({ messages: [{ content: prompt }], last: 1 }));
    expect(bytes.length).toBeGreaterThan(8_000_000);
    const start = performance.now();
    expect(readOutline(bytes)?.last).toBe(1);
    // About 20 ms; a slow machine is no failure, something quadratic is.
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
