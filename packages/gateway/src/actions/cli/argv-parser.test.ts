import { describe, expect, test } from 'vitest';
import { type ArgvStyle, hasOption, optionTable, optionValues, parseArgv } from './argv-parser.ts';

const TABLE = optionTable({
  none: '-v|--verbose -q|--quiet --force',
  value: '-o|--output -X|--request --request-target',
  maybe: '-U|--unified --color',
  unlessLast: '--merged',
});

interface Row {
  readonly words: readonly string[];
  readonly style?: ArgvStyle;
  readonly options?: readonly (readonly [string, string?])[];
  readonly positionals?: readonly string[];
  readonly rest?: readonly string[];
  readonly doubts?: number;
  readonly why: string;
}

const ROWS: readonly Row[] = [
  {
    words: ['a', '-v', 'b'],
    options: [['--verbose']],
    positionals: ['a', 'b'],
    why: 'options stand anywhere',
  },
  { words: ['-o', 'x', 'y'], options: [['--output', 'x']], positionals: ['y'], why: 'a value apart' },
  { words: ['-ox'], options: [['--output', 'x']], why: 'a value attached to a letter' },
  { words: ['--output=x=y'], options: [['--output', 'x=y']], why: 'only the first equals sign parts' },
  { words: ['--output='], options: [['--output', '']], why: 'an empty value is one' },
  {
    words: ['-vqox'],
    options: [['--verbose'], ['--quiet'], ['--output', 'x']],
    why: 'a cluster that ends in a value',
  },
  { words: ['-U', '3'], options: [['--unified']], positionals: ['3'], why: 'a maybe takes no word apart' },
  { words: ['-vU3'], options: [['--verbose'], ['--unified', '3']], why: 'a maybe takes what is attached' },
  { words: ['--', '-v'], positionals: ['-v'], why: 'dashes end the options' },
  { words: ['-'], positionals: ['-'], why: 'one dash is a name' },
  { words: ['-o'], options: [['--output']], doubts: 1, why: 'a missing value is a doubt' },
  { words: ['-o', '-v'], options: [['--output', '-v']], doubts: 1, why: 'an option as a value is a doubt' },
  { words: ['-o', '-1'], options: [['--output', '-1']], why: 'a number is no option' },
  { words: ['--merged', 'x'], options: [['--merged', 'x']], why: 'a value unless it is last' },
  { words: ['x', '--merged'], options: [['--merged']], positionals: ['x'], why: 'the last word needs none' },
  { words: ['--nope'], doubts: 1, why: 'an unknown option is a doubt' },
  { words: ['-vZo'], options: [['--verbose']], doubts: 1, why: 'an unknown letter ends the cluster' },
  { words: ['--verb'], doubts: 1, why: 'a prefix is unknown where the program takes none' },
  { words: ['--verb'], style: { abbreviations: true }, options: [['--verbose']], why: 'a prefix' },
  { words: ['--requ'], style: { abbreviations: true }, doubts: 1, why: 'a prefix of two' },
  {
    words: ['--request', 'x'],
    style: { abbreviations: true },
    options: [['--request', 'x']],
    why: 'exact wins',
  },
  { words: ['--no-force'], style: { negation: true }, options: [['--no-force']], why: 'a negation' },
  { words: ['--no-nope'], style: { negation: true }, doubts: 1, why: 'a negation of nothing' },
  {
    words: ['-o=x'],
    style: { shortEquals: true },
    options: [['--output', 'x']],
    why: 'pflag drops the sign',
  },
  { words: ['-o=x'], options: [['--output', '=x']], why: 'getopt keeps the sign' },
  { words: ['-5'], style: { digits: true }, options: [['-<number>', '5']], why: 'a count' },
  {
    words: ['-v', 'a', '-q'],
    style: { stopAtPositional: true },
    options: [['--verbose']],
    rest: ['a', '-q'],
    why: 'stops',
  },
  {
    words: ['-v', '--', 'a'],
    style: { stopAtPositional: true },
    options: [['--verbose']],
    rest: ['a'],
    why: 'dashes stop',
  },
];

describe('parseArgv', () => {
  test.each(ROWS)('$why: $words', ({ words, style, options, positionals, rest, doubts }) => {
    const parsed = parseArgv(words, TABLE, style);
    expect(parsed.options.map(({ name, value }) => (value === undefined ? [name] : [name, value]))).toEqual(
      options ?? [],
    );
    expect(parsed.positionals).toEqual(positionals ?? []);
    expect(parsed.rest).toEqual(rest ?? []);
    expect(parsed.doubts).toHaveLength(doubts ?? 0);
  });

  test('one dash begins a long option in the style of Go, and so do two', () => {
    const table = optionTable({ none: '-json', value: '-out' });
    for (const words of [
      ['-json', '-out=x'],
      ['--json', '--out', 'x'],
    ]) {
      const parsed = parseArgv(words, table, { singleDashLong: true });
      expect(hasOption(parsed, '-json')).toBe(true);
      expect(optionValues(parsed, '-out')).toEqual(['x']);
    }
  });
});
