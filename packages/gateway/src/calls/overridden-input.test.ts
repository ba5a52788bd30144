import { expect, test } from 'vitest';
import { overriddenInput } from './overridden-input.ts';

test('a replacement is the whole input', () => {
  expect(overriddenInput('{"path":"/a","n":[1]}')).toEqual({ path: '/a', n: [1] });
});

test.each([
  ['ls -l', 'a command'],
  ['"text"', 'a text'],
  ['[1]', 'a list'],
  ['null', 'nothing'],
  ['', 'empty'],
  ['{"__proto__":{"a":1}}', 'a prototype'],
  ['{"a":[{"__proto__":{}}]}', 'a prototype inside'],
])('%s is none (%s)', (text) => {
  expect(() => overriddenInput(text)).toThrow(expect.objectContaining({ code: 'BadRequest' }));
});
