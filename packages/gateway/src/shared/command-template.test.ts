import { expect, test } from 'vitest';
import { splitTemplate } from './command-template.ts';

test.each([
  { text: 'op read op://{key}', argv: ['op', 'read', 'op://{key}'], why: 'blanks' },
  { text: '  a   b\tc ', argv: ['a', 'b', 'c'], why: 'more blanks' },
  { text: 'a "b c" \'d "e\'', argv: ['a', 'b c', 'd "e'], why: 'quotes' },
  { text: 'a b"c d"e', argv: ['a', 'bc de'], why: 'quotes inside a word' },
  { text: 'a ""', argv: ['a', ''], why: 'an empty word' },
  {
    text: `sh -c 'x "$1" | y' z {key}`,
    argv: ['sh', '-c', 'x "$1" | y', 'z', '{key}'],
    why: 'a shell by name',
  },
])('splits at $why', ({ text, argv }) => {
  expect(splitTemplate(text)).toEqual({ kind: 'words', argv });
});

test.each([
  '',
  '  ',
  '""',
  'a;b',
  'a && b',
  'a `b`',
  'a $(b)',
  'a > b',
  'a\\ b',
  "a 'b",
  'a *',
  'a ~/b',
  'a {x}',
])('refuses %j', (text) => {
  expect(splitTemplate(text).kind).toBe('wrong');
});
