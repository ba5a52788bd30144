import { rounds } from '@sallyport/testkit/rounds';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createShellReader } from './analyze-shell.ts';
import { ALL_CASES } from './shell-cases/all-cases.ts';
import { caseContext } from './shell-cases/case-context.ts';
import { beginsCommand, commandStarts, reprint } from './shell-cases/second-parser.ts';

const read = await createShellReader();

/** What the second parser sees and the first does not, for a line that the first calls known. */
async function disagreements(line: string): Promise<readonly string[]> {
  const { unknown, commands, starts, wordStarts } = read(line, caseContext());
  if (unknown !== undefined || commands.some((command) => command.unknown !== undefined)) return [];
  const theirs = await commandStarts(line);
  if (theirs === undefined) return [];
  const ours = new Set([...starts, ...wordStarts]);
  const missed: string[] = [];
  for (const offset of theirs) {
    if (!ours.has(offset) && (await beginsCommand(line, offset))) missed.push(line.slice(offset));
  }
  const widened = widenGaps(line, wordStarts);
  if ((await reprint(widened)) !== (await reprint(line)))
    missed.push('a blank between words is part of a word');
  return missed;
}

/** More blanks before each word: no shell minds, unless the word begins somewhere else. */
function widenGaps(line: string, wordStarts: readonly number[]): string {
  const inner = new Set(wordStarts.filter((start) => /[ \t]/.test(line[start - 1] ?? '')));
  return [...line.matchAll(/[\s\S]/g)]
    .map(({ 0: char, index }) => (inner.has(index) ? `   ${char}` : char))
    .join('');
}

describe('where two parsers disagree on the list of commands, the answer is unknown', () => {
  test('[GA-2] [GA-6] in every row of the tables', { timeout: 120_000 }, async () => {
    const found: Record<string, readonly string[]> = {};
    for (const { line } of ALL_CASES) {
      const missed = await disagreements(line);
      if (missed.length > 0) found[line] = missed;
    }
    expect(found).toEqual({});
  });

  test('the second parser finds what it should: the comparison can fail', async () => {
    const line = 'FOO=1 git log "$(curl x)" | (sh; echo `id` \'$(no)\')';
    const starts = await commandStarts(line);
    const words = starts?.map((start) => /^[\w=]+/.exec(line.slice(start))?.[0]);
    expect(words).toEqual(['FOO=1', 'git', 'curl', 'sh', 'echo', 'id']);
  });

  const fragment = fc.constantFrom(
    ...`ls;git;rm;foo;echo;-la;a;1;$x;$\{x};$\{x:-;};<;>;>>;2>&1;<<<;#;\\;\\ ;if ;then ;; fi;for x in ;; do ;; done;case x in ;
    a) ;;; ;esac;[[ ; ]];[ ; ];((;));$((;=;x=1 ;x=(;*;~;!;! ;$';\\';f() ;<(;>(;$;?(;{a,b};{;};{ ;; };time ;&>;>|;>&;else ;"$(;")`.split(
      ';',
    ),
    ' ',
    ' ',
    ' ',
    '\n',
    ';',
    '&',
    '|',
    '&&',
    '||',
    '(',
    ')',
    '$(',
    '`',
    '"',
    "'",
    '\\\n',
    '\t',
    '<<EOF\n',
    '\nEOF\n',
    "<<'E'\n",
    '\nE\n',
  );
  test('[GA-2] [GA-6] in lines that are put together at random', { timeout: 120_000 }, async () => {
    const line = fc.array(fragment, { minLength: 2, maxLength: 12 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        expect(await disagreements(text)).toEqual([]);
      }),
      { numRuns: rounds(3_000), seed: 20_261_115 },
    );
  });
});
