import { describe, expect, test } from 'vitest';
import { parseJsonBody } from './json-parser.ts';

describe('parseJsonBody', () => {
  test.each([
    { why: 'an object', text: '{"a":[1,"ü"]}', value: { a: [1, 'ü'] } },
    { why: 'nothing', text: '', value: undefined },
    { why: 'a bare value', text: 'null', value: null },
    { why: 'a value that spells the dangerous key', text: '{"a":"__proto__"}', value: { a: '__proto__' } },
  ])('reads $why', ({ text, value }) => {
    expect(parseJsonBody(Buffer.from(text))).toEqual(value);
  });

  test.each([
    { why: 'half an object', body: Buffer.from('{"a":') },
    { why: 'two values', body: Buffer.from('{} {}') },
    { why: 'single quotes', body: Buffer.from("{'a':1}") },
    { why: 'a lone byte that is no UTF-8', body: Buffer.from([0x22, 0xff, 0x22]) },
    { why: 'UTF-16', body: Buffer.from('{"a":1}', 'utf16le') },
    { why: 'a prototype', body: Buffer.from('{"__proto__":{"admin":true}}') },
    { why: 'a prototype deep inside', body: Buffer.from('{"a":[{"b":{"__proto__":1}}]}') },
    { why: 'a prototype in escapes', body: Buffer.from('{"\\u005f_proto__":1}') },
  ])('refuses $why', ({ body }) => {
    expect(() => parseJsonBody(body)).toThrow(expect.objectContaining({ code: 'BadRequest' }));
  });

  test('does not repeat the body in the error', () => {
    expect(() => parseJsonBody(Buffer.from('{"secret": hunter2}'))).toThrow(/^the body is not JSON$/);
  });
});
