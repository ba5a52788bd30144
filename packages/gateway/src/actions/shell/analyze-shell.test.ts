import { describe, expect, test } from 'vitest';
import { createShellReader } from './analyze-shell.ts';
import { createShellAnalyzer } from './index.ts';
import { ALL_CASES, HOSTILE } from './shell-cases/all-cases.ts';
import { caseContext } from './shell-cases/case-context.ts';
import { FRIENDLY } from './shell-cases/friendly.ts';

const analyze = await createShellAnalyzer();
const read = await createShellReader();

describe('every row of the tables', () => {
  test.each(ALL_CASES)('[GA-6] $line: $why', ({ line, commands, unknown }) => {
    const analysis = analyze(line, caseContext());
    const doubts = [analysis.unknown, ...analysis.commands.map((command) => command.unknown)];
    expect({
      commands: analysis.commands.map((command) => command.text),
      unknown: doubts.some((doubt) => doubt !== undefined),
    }).toEqual({ commands, unknown });
  });

  test('there are more than 300 rows, most of them hostile, and no line is there twice', () => {
    expect(ALL_CASES.length).toBeGreaterThanOrEqual(300);
    expect(HOSTILE.length).toBeGreaterThan(FRIENDLY.length);
    expect(new Set(ALL_CASES.map((row) => row.line)).size).toBe(ALL_CASES.length);
  });

  test('what is unknown is a remote write of the highest risk where nothing confines it', () => {
    for (const { line } of ALL_CASES) {
      for (const command of analyze(line, caseContext('unconfined')).commands) {
        if (command.unknown === undefined) continue;
        expect(command).toMatchObject({
          effect: 'write',
          reach: 'remote',
          risk: 'critical',
        });
        expect(['custom:cli', 'custom:destroy']).toContain(command.type);
      }
    }
  });

  test('in a jail every command is local', () => {
    for (const { line } of ALL_CASES) {
      for (const command of analyze(line, caseContext('jailed')).commands)
        expect(command.reach).toBe('workspace');
    }
  });
});

describe('input that is not a line', () => {
  const hostile: readonly { readonly name: string; readonly line: string }[] = [
    { name: 'nothing', line: '' },
    { name: 'blanks', line: ' \n\t ' },
    { name: 'a comment', line: '# ls' },
    { name: '100,000 characters', line: `ls ${'a'.repeat(100_000)}` },
    { name: '16 KiB in bytes, fewer in characters', line: `ls ${'é'.repeat(9_000)}` },
    { name: 'a NUL byte', line: 'ls\u0000' },
    { name: 'half of a surrogate pair', line: 'ls \udc00' },
    { name: '200 substitutions inside each other', line: `${'$('.repeat(200)}ls${')'.repeat(200)}` },
    { name: '300 groups inside each other', line: `${'{ '.repeat(300)}ls${'; }'.repeat(300)}` },
    { name: '1,000 pipes', line: 'ls|'.repeat(1_000) },
    { name: '5,000 arrays that begin', line: 'a=('.repeat(5_000) },
    { name: '2,000 closing parentheses', line: 'a)'.repeat(2_000) },
    { name: 'eval of eval of eval', line: 'eval '.repeat(3_000) },
    { name: 'braces that begin', line: `ls ${'{,'.repeat(7_000)}` },
  ];
  test.each(hostile)('[GA-2] $name is unknown', ({ line }) => {
    const { unknown, commands } = analyze(line, caseContext());
    expect(unknown ?? commands.find((command) => command.unknown !== undefined)?.unknown).toBeTypeOf(
      'string',
    );
  });

  test('[GA-2] a line over 16 KiB is not parsed at all', () => {
    expect(read('a'.repeat(16 * 1024), caseContext()).nodes).toBeGreaterThan(0);
    expect(read('a'.repeat(16 * 1024 + 1), caseContext()).nodes).toBe(0);
  });

  test('the size of the tree grows with the line, not with its square', () => {
    for (const unit of ['a ', 'a;', '$x', '"$x" ', 'a|', '$(a) ', '>a ', "'a' "]) {
      const once = read(`ls ${unit.repeat(50)}ls`, caseContext()).nodes;
      const twice = read(`ls ${unit.repeat(100)}ls`, caseContext()).nodes;
      expect(once).toBeGreaterThan(0);
      expect(twice).toBeLessThanOrEqual(once * 2);
    }
  });

  test('[GA-2] a look-up that throws makes the line unknown', () => {
    const broken = caseContext('jailed', {
      resolvePath: () => {
        throw new Error('disk');
      },
    });
    expect(analyze('ls > x', broken).unknown).toBe('the line could not be read');
  });
});
