import { describe, expect, test } from 'vitest';
import { createShellAnalyzer } from '../../shell/index.ts';
import { caseContext } from '../../shell/shell-cases/case-context.ts';
import { REFERENCE, type ReferenceLine } from '../cases/reference/index.ts';
import type { ReferenceClass } from '../cases/reference/reference-lines.ts';
import type { CliIntent } from '../cli-intent.ts';
import { classifyCli } from './classify-cli.ts';

const analyze = await createShellAnalyzer();
const CONTEXT = { cwd: '/repo/app', home: '/home/ana', root: '/repo/app' };
/** Read with the other small programs of the shell: they have no subcommands. */
const SHELL_PROGRAMS: ReadonlySet<string> = new Set(['jq', 'tar']);

type Read = Pick<CliIntent, 'effect' | 'operation' | 'reach' | 'unknown'>;

function read({ program, line, argv }: ReferenceLine): Read | undefined {
  return SHELL_PROGRAMS.has(program)
    ? analyze(line, caseContext('unconfined', { classifyCli })).commands[0]
    : classifyCli(argv, CONTEXT);
}

function classOf(intent: Read | undefined): ReferenceClass | 'nothing' {
  if (intent === undefined) return 'nothing';
  const { effect, reach, unknown } = intent;
  if (unknown !== undefined) return 'asks';
  if (effect === 'read') return reach === 'remote' ? 'fetch' : 'read';
  return reach === 'remote' ? 'send' : reach === 'host' ? 'host' : 'work';
}

describe('lines of command references', () => {
  test('are at least 400, over every program of the list, and none is there twice', () => {
    const programs = new Set(REFERENCE.map(({ program }) => program));
    const listed =
      `npm pnpm yarn pip uv poetry cargo go mvn gradle make cmake pytest tsc eslint prettier docker helm terraform kubectl gh glab
      aws gcloud az brew apt systemctl ssh scp rsync psql mysql sqlite3 redis-cli jq tar tmux node python`.split(
        /\s+/,
      );
    expect([...listed, 'docker compose'].filter((program) => !programs.has(program))).toEqual([]);
    expect(REFERENCE.length).toBeGreaterThanOrEqual(400);
    expect(new Set(REFERENCE.map(({ line }) => line)).size).toBe(REFERENCE.length);
  });

  test('each is taken for what it is', () => {
    const wrong = REFERENCE.flatMap((row) => {
      const intent = read(row);
      const found = classOf(intent);
      return found === row.expected
        ? []
        : [`${row.line}: ${found}, not ${row.expected} ${intent?.unknown ?? ''}`];
    });
    expect(wrong).toEqual([]);
  });

  test('nine in ten are recognised, by a row that names the subcommand', () => {
    const missed = REFERENCE.filter((row) => {
      const intent = read(row);
      return classOf(intent) === 'asks' || !namesSubcommand(row, intent);
    });
    expect(missed.length / REFERENCE.length, missed.map(({ line }) => line).join('\n')).toBeLessThan(0.1);
  });
});

/** Words that stand for another: what people see is the name, not its short form. */
const SHORT: Readonly<Record<string, string>> = { i: 'install', new: 'new-session', ls: 'list' };

function namesSubcommand({ program, argv }: ReferenceLine, intent: Read | undefined): boolean {
  if (SHELL_PROGRAMS.has(program)) return intent !== undefined;
  const [first = ''] = intent?.operation?.split(' ') ?? [];
  const [name = '', ...words] = argv;
  return (
    first !== '' && [name, 'version', ...words.flatMap((word) => [word, SHORT[word] ?? word])].includes(first)
  );
}
