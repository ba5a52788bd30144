import { rounds } from '@sallyport/testkit/rounds';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createShellAnalyzer } from './index.ts';
import { caseContext } from './shell-cases/case-context.ts';

const analyze = await createShellAnalyzer();

const word = fc.stringMatching(/^[a-z]{1,6}$/).map((name) => `p${name}`);
const quoted = word.chain((name) =>
  fc
    .constantFrom(name, `'${name}'`, `"${name}"`, `\\${name}`, `${name[0]}''${name.slice(1)}`)
    .map((text) => ({ name, text })),
);

interface Line {
  readonly text: string;
  readonly names: readonly string[];
}

/** Lines made of known programs, with each program's name beside the text. */
const { line } = fc.letrec<{ line: Line; simple: Line }>((tie) => ({
  simple: fc.tuple(quoted, fc.array(word, { maxLength: 2 })).map(([{ name, text }, args]) => ({
    text: [text, ...args].join(' '),
    names: [name],
  })),
  line: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('simple'),
    fc
      .tuple(tie('line'), fc.constantFrom(' ; ', ' | ', ' && ', ' || ', ' & ', '\n'), tie('line'))
      .map(([left, operator, right]) => ({
        text: left.text + operator + right.text,
        names: [...left.names, ...right.names],
      })),
    fc
      .tuple(
        tie('line'),
        fc.constantFrom(
          ['(', ')'],
          ['{ ', '; }'],
          ['! ( ', ' )'],
          ['ls "$(', ')"'],
          ['ls $(', ')'],
          ['x=$(', ')'],
          ['cat <(', ')'],
          ['if ', '; then ls; fi'],
          ['if ls; then ', '; fi'],
          ['while ls; do ', '; done'],
          ['for i in a; do ', '; done'],
          ['case x in a) ', ';; esac'],
          ['f() { ', '; }'],
          ['ls "${x:-$(', ')}"'],
          ['echo [ && ', ''],
          ['time ', ''],
          ['sudo -n ', ''],
        ),
      )
      .map(([inner, [before, after]]) => ({ text: `${before}${inner.text}${after}`, names: inner.names })),
  ),
}));

describe('the analysis is total', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'$(){}[]<>|&;\'"`\\!#*?~= \n\tabEOF01'), maxLength: 200 }),
  );
  test.each(['jailed', 'unconfined'] as const)(
    '[GA-2] no text makes it throw, and an empty answer is unknown (%s)',
    async (confinement) => {
      await fc.assert(
        fc.property(nasty, (text) => {
          const { commands, unknown } = analyze(text, caseContext(confinement));
          expect(commands.length > 0 || unknown !== undefined).toBe(true);
        }),
        { numRuns: rounds(3_000) },
      );
    },
  );
});

describe('no command is lost', () => {
  test('[GA-6] every program of a line is in the list, or the line is unknown', async () => {
    let known = 0;
    await fc.assert(
      fc.property(line, ({ text, names }) => {
        const { commands, unknown } = analyze(text, caseContext());
        if (unknown !== undefined || commands.some((command) => command.unknown !== undefined)) return;
        known += 1;
        const programs = new Set(commands.map((command) => command.program));
        expect(names.filter((name) => !programs.has(name))).toEqual([]);
      }),
      { numRuns: rounds(1_500) },
    );
    // A reader that calls everything unknown would pass the property.
    expect(known).toBeGreaterThan(rounds(500));
  });
});
