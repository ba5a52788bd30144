import { StatsSchema, type StatsWire } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';
import { table } from '../output.ts';
import { pastMoment } from '../past-moment.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
  readonly since: string;
  readonly tenant?: string;
}

export function addStats(program: Command, context: CliContext): void {
  const { output } = context;
  program
    .command('stats')
    .description('how often people were asked, why, and what they always allow')
    .option('--since <time>', 'ISO time, or a duration: 2h, 7d', '7d')
    .option('--tenant <name>', 'only this tenant')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExample:\n  sallyport stats --since 30d')
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      if (output.isTerminal && flags.json !== true) output.note('reading the trail …');
      const query = new URLSearchParams({ since: pastMoment(flags.since) });
      if (flags.tenant !== undefined) query.set('tenant', flags.tenant);
      const stats = await context
        .operator(flags)
        .call({ method: 'GET', path: `/v1/stats?${query}` }, (value) => StatsSchema.parse(value));
      if (flags.json) return output.json(stats);
      for (const line of describeStats(stats, flags.since)) output.line(line);
    });
}

/** The screen of `sallyport stats`. */
export function describeStats(stats: StatsWire, since: string): readonly string[] {
  const { actions, questions, answers, standing, median_answer_seconds: median } = stats;
  const period = /^\d+[smhd]$/.test(since) ? `in the last ${since}` : `since ${since}`;
  const lines = [
    `${actions} actions ${period}, ${questions} questions: ${stats.per_100} for each hundred`,
    `answered: ${answers.yes} yes, ${answers.no} no, ${answers.expired} too late, ${answers.left} withdrawn${
      median === null ? '' : `; half of them within ${median} s`
    }`,
    `${standing} more were allowed by standing answers (sallyport grants list)`,
  ];
  if (stats.by_reason.length > 0) {
    const rows = stats.by_reason.map(({ layer, reason, questions: count }) => [String(count), layer, reason]);
    lines.push('', 'Why people were asked:', ...indented([['ASKED', 'LAYER', 'REASON'], ...rows]));
  }
  if (stats.always_yes.length > 0) {
    const rows = stats.always_yes.map(({ what, agent, questions: count }) => [String(count), agent, what]);
    lines.push(
      '',
      'Asked more than once, and always allowed:',
      ...indented([['ASKED', 'WHO', 'WHAT'], ...rows]),
    );
  }
  if (stats.truncated) lines.push('', 'there were more kinds of questions than are counted');
  return lines;
}

function indented(rows: readonly (readonly string[])[]): readonly string[] {
  return table(rows).map((line) => `  ${line}`);
}
