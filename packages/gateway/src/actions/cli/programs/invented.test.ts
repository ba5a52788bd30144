import { describe, expect, test } from 'vitest';
import { compileRows, rowsOf } from '../table/cli-table.ts';
import { classifyCli } from './classify-cli.ts';
import { KNOWN_PROGRAMS } from './registry.ts';

const CONTEXT = { cwd: '/repo/app', home: '/home/ana', root: '/repo/app' };
const INVENTED = ['frobnicate', 'unsnarl', 'quendle', 'list-zorbs', 'getx'];
/** Programs whose first word says what they do, and which read it in their own way. */
const OWN_READERS = 'kubectl gh terraform aws gcloud az mvn gradle redis-cli git'.split(' ');
/**
 * Programs without subcommands: there it is an option that nobody knows. Checkers are not among them: the code of the
 * workspace that they run may do more than any option.
 */
const WITHOUT_SUBCOMMANDS = 'make cmake ssh scp rsync psql mysql node python'.split(' ');

const TABLES = KNOWN_PROGRAMS.flatMap(({ names, table }) => {
  const root = compileRows(table);
  return root.kids.size === 0 ? [] : [{ program: names[0] ?? '', root }];
});

function isUnknown(argv: readonly string[]): boolean {
  const intent = classifyCli(argv, CONTEXT);
  return intent?.unknown !== undefined && intent.effect === 'write' && intent.risk === 'critical';
}

describe('[GA-2] subcommands that nobody has', () => {
  test('at least 600 rows are known, over every program that is read by a table', () => {
    const rows = KNOWN_PROGRAMS.map(({ names, table }) => ({
      program: names[0] ?? '',
      count: rowsOf(compileRows(table)).length,
    }));
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(600);
    const listed =
      'npm pnpm yarn pip uv poetry cargo go pytest tsc eslint prettier docker docker-compose helm glab brew apt systemctl tmux';
    expect(listed.split(' ').filter((name) => !rows.some(({ program }) => program === name))).toEqual([]);
  });

  test('at least 200 invented ones stay unknown', () => {
    const lines = [
      ...[...TABLES.map(({ program }) => program), ...OWN_READERS].flatMap((program) =>
        INVENTED.flatMap((word) => [
          [program, word],
          [program, word, 'list'],
        ]),
      ),
      ...WITHOUT_SUBCOMMANDS.flatMap((program) => [
        [program, '--frobnicate', 'x'],
        [program, '--unsnarl=x'],
      ]),
    ];
    expect(lines.length).toBeGreaterThanOrEqual(200);
    expect(isUnknown(['sqlite3', 'app.db', '--frobnicate', 'select 1'])).toBe(true);
    expect(lines.filter((argv) => !isUnknown(argv)).map((argv) => argv.join(' '))).toEqual([]);
  });

  test('a word that only begins like a row, or goes on behind it, is no row', () => {
    const wrong: string[] = [];
    let count = 0;
    for (const { program, root } of TABLES)
      for (const word of root.kids.keys())
        for (const near of [`${word}x`, `${word}-all`, word.slice(0, -1), word.toUpperCase()]) {
          if (near === word || near === '' || root.kids.has(near)) continue;
          count += 1;
          if (!isUnknown([program, near])) wrong.push(`${program} ${near}`);
        }
    expect(count).toBeGreaterThan(1000);
    expect(wrong).toEqual([]);
  });

  test('the same below the first word, where a row has more', () => {
    const wrong: string[] = [];
    for (const { program, root } of TABLES)
      for (const [word, node] of root.kids) {
        // A row of its own takes further words as operands.
        if (node.row !== undefined || node.kids.size === 0) continue;
        for (const invented of INVENTED)
          if (!isUnknown([program, word, invented])) wrong.push(`${program} ${word} ${invented}`);
      }
    expect(wrong).toEqual([]);
  });
});
