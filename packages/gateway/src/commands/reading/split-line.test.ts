import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitLine } from './split-line.ts';
import { takeCredential } from './take-credential.ts';

const WORDS: readonly (readonly [line: string, words: readonly string[], why: string])[] = [
  ['aws s3 ls', ['aws', 's3', 'ls'], 'blanks'],
  ['  aws\ts3\nls  ', ['aws', 's3', 'ls'], 'every blank, also around'],
  ['aws s3 ls; rm -rf /', ['aws', 's3', 'ls;', 'rm', '-rf', '/'], 'a semicolon is a letter'],
  ['a | b && c || d & e', ['a', '|', 'b', '&&', 'c', '||', 'd', '&', 'e'], 'so are pipes'],
  ['a $(id) `id` ${HOME} $HOME', ['a', '$(id)', '`id`', '${HOME}', '$HOME'], 'and what a shell expands'],
  ['a "$(id)" "`id`"', ['a', '$(id)', '`id`'], 'also in double quotes'],
  ['a * ? [a] ~ ~root {a,b}', ['a', '*', '?', '[a]', '~', '~root', '{a,b}'], 'and what it looks up'],
  ['a > /etc/x < b 2>&1', ['a', '>', '/etc/x', '<', 'b', '2>&1'], 'and redirections'],
  ['a # b', ['a', '#', 'b'], 'and a comment'],
  ['a \'b c\' "d e"', ['a', 'b c', 'd e'], 'quotes'],
  ["a 'b'\\''c'", ['a', "b'c"], 'as ssh clients quote'],
  ['a ""', ['a', ''], 'an empty word is a word'],
  ["a '' b", ['a', '', 'b'], 'also in single quotes'],
  ['a b\\ c', ['a', 'b c'], 'a backslash'],
  ['a "b\\"c\\\\d\\$e\\`f\\g"', ['a', 'b"c\\d$e`f\\g'], 'in double quotes it takes four letters'],
  ["a 'b\\c'", ['a', 'b\\c'], 'in single quotes none'],
  ['a b\\\nc', ['a', 'bc'], 'a line that goes on'],
  ['a "b\nc"', ['a', 'b\nc'], 'a line end inside of quotes'],
  ["git-upload-pack '/acme/app.git'", ['git-upload-pack', '/acme/app.git'], 'as git sends it'],
  ['A=b c', ['A=b', 'c'], 'an assignment is a word'],
];

const REFUSED: readonly (readonly [line: string, says: RegExp])[] = [
  ['', /empty/],
  [' \n\t', /empty/],
  ["a 'b", /single quote/],
  ['a "b', /double quote/],
  ['a "b\\"', /double quote/],
  ['a b\\', /backslash/],
  ['a\0b', /NUL/],
  ["a 'b\0'", /NUL/],
  ['a \ud800', /Unicode/],
  ['a '.repeat(600_000), /1 MB/],
  ['é'.repeat(524_288), /1 MB/],
  ['a '.repeat(40_000), /words/],
];

describe('[SS-2] a line is split once, and nothing in it is a shell', () => {
  test.each(WORDS)('%j', (line, words) => {
    expect(splitLine(line)).toEqual({ kind: 'words', words });
  });

  test.each(REFUSED.map(([line, says]) => [line.slice(0, 40), line, says] as const))(
    'refuses %j',
    (_, line, says) => {
      const split = splitLine(line);
      expect(split).toMatchObject({ kind: 'refused', sentence: expect.stringMatching(says) });
    },
  );

  test('every list of words comes back from a line that quotes them', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const line = words.map((each) => `'${each.replaceAll("'", `'\\''`)}'`).join(' ');
        expect(splitLine(line)).toEqual({ kind: 'words', words });
      }),
    );
  });

  test('what a shell would split without expanding, it splits as a shell does', () => {
    const pieces = fc.constantFrom(
      'a',
      'b',
      ' ',
      "'",
      '"',
      '\\',
      '\n',
      '\t',
      '=',
      '-',
      'é',
      "'c d'",
      '"e f"',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 12 }).map((list) => list.join('')),
        (line) => {
          const split = splitLine(line);
          if (split.kind === 'refused' || line.includes('\n')) return;
          const output = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
          expect(output.split('\0').slice(0, -1)).toEqual(split.words);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('--creds is taken out wherever it stands', () => {
  test.each([
    [
      ['aws', 's3', 'ls', '--creds', 'aws:prod'],
      ['aws', 's3', 'ls'],
    ],
    [
      ['--creds', 'aws:prod', 'aws', 's3', 'ls'],
      ['aws', 's3', 'ls'],
    ],
    [
      ['aws', '--creds=aws:prod', 's3', 'ls'],
      ['aws', 's3', 'ls'],
    ],
    [
      ['kubectl', 'get', '--', '--creds', 'aws:prod'],
      ['kubectl', 'get', '--'],
    ],
  ])('%j', (words, argv) => {
    expect(takeCredential(words)).toEqual({ kind: 'words', argv, credential: 'aws:prod' });
  });

  test.each([
    [['aws', '--creds']],
    [['aws', '--creds', '']],
    [['aws', '--creds', '--profile']],
    [['aws', '--creds=']],
    [['aws', '--creds', '../x']],
    [['aws', '--creds', 'a b']],
    [['aws', '--creds', 'a:b:c']],
    [['aws', '--creds', 'a', '--creds', 'b']],
    [['aws', '--creds', 'a', '--creds=a']],
    [['--creds', 'a']],
  ])('refuses %j', (words) => {
    expect(takeCredential(words).kind).toBe('refused');
  });

  test('leaves what only looks like it', () => {
    const words = ['aws', '--credsx', 'a', '-creds', 'creds', '--credentials=x'];
    expect(takeCredential(words)).toEqual({ kind: 'words', argv: words });
  });
});
