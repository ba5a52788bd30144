import { SallyportError } from '@sallyport/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSealJson } from './seal-json.ts';

const read = (text: string): unknown => parseSealJson(Buffer.from(text));

describe('parseSealJson', () => {
  test.each([
    { text: '{"a":1,"a":2}', why: 'a key twice' },
    { text: '{"a":1,"\\u0061":2}', why: 'the same key by an escape' },
    { text: '{"x":{"a":1 , "b":{} , "a" :2}}', why: 'a key twice further down' },
    { text: '[{"a":1},{"b":1,"b":1}]', why: 'a key twice in a list' },
    { text: '{"":1,"":1}', why: 'the empty key twice' },
    { text: '{"a\\"b":1,"a\\"b":1}', why: 'a key with a quote twice' },
    { text: '9007199254740992', why: 'an integer that is not exact' },
    { text: '-9007199254740993', why: 'a negative one' },
    { text: '1e400', why: 'infinity' },
    { text: '1e30', why: 'a large integer in another spelling' },
    { text: '"\\ud800"', why: 'half a character' },
    { text: '{"\\udc00":1}', why: 'half a character in a key' },
    { text: '{"__proto__":1}', why: 'a prototype' },
    { text: '{"a":1}}', why: 'something behind it' },
    { text: "{'a':1}", why: 'no JSON' },
    { text: '', why: 'nothing' },
  ])('refuses $why', ({ text }) => {
    expect(() => read(text)).toThrow(SallyportError);
  });

  test.each([
    { text: '{"a":"b:c","d":"\\":","e":["f","g:"],"h":{"a":1}}', why: 'colons in texts' },
    { text: '{"a":"\\\\","b":"\\\\\\""}', why: 'backslashes before quotes' },
    { text: ' [ 1.5 , -0 , 1e-7 , 9007199254740991 , true , null ] ', why: 'numbers and spaces' },
  ])('reads $why', ({ text }) => {
    expect(read(text)).toEqual(JSON.parse(text));
  });

  test('reads whatever JSON was written of a value without such things', () => {
    const plain = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.integer(),
        fc.boolean(),
        tie('list'),
        tie('record'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      record: fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value'), { maxKeys: 4 }),
    })).value;
    fc.assert(
      fc.property(plain, fc.constantFrom(0, 2), (value, spaces) => {
        fc.pre(!JSON.stringify(value).includes('__proto__'));
        const text = JSON.stringify(value, null, spaces);
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('refuses every object to which one of its keys was added again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string(), { minKeys: 1 }), (value) => {
        const [key = ''] = Object.keys(value);
        const text = `{${JSON.stringify(key)}:1,${JSON.stringify(value).slice(1)}`;
        expect(() => read(text)).toThrow(SallyportError);
      }),
    );
  });
});
