import { listOf, SuggestionSchema, type SuggestionWire } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext, HomeFlags } from '../context.ts';
import { pastMoment } from '../past-moment.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
  readonly since: string;
  readonly tenant?: string;
  readonly apply?: string[] | true;
}

const SuggestionList = listOf(SuggestionSchema);

export function addSuggest(program: Command, context: CliContext): void {
  const { output } = context;
  program
    .command('suggest')
    .description('settings that would have answered what people always allowed')
    .option('--since <time>', 'ISO time, or a duration: 2h, 7d', '7d')
    .option('--tenant <name>', 'only this tenant')
    .option('--apply <id...>', 'write these into the config; their lines were shown before')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  sallyport suggest --since 30d\n  sallyport suggest --apply 3f2a91c0',
    )
    .action(async (_flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      if (output.isTerminal && flags.json !== true)
        output.note('reading the trail, and trying each setting on it …');
      const period = {
        since: pastMoment(flags.since),
        ...(flags.tenant === undefined ? {} : { tenant: flags.tenant }),
      };
      const operator = context.operator(flags);
      const parse = (value: unknown) => SuggestionList.parse(value);
      if (Array.isArray(flags.apply)) {
        const body = { ids: flags.apply, ...period };
        const written = await operator.call({ method: 'POST', path: '/v1/suggestions/apply', body }, parse);
        if (flags.json) return output.json(written);
        const [first] = written.items;
        output.line(`written to ${first?.file ?? 'the config'}; in force within a second:`);
        for (const line of first?.diff ?? []) output.line(`  ${line}`);
        return;
      }
      const path = `/v1/suggestions?${new URLSearchParams(period)}`;
      const found = await operator.call({ method: 'GET', path }, parse);
      if (flags.json) return output.json(found);
      for (const line of describeSuggestions(found.items)) output.line(line);
    });
}

/** The screen of `sallyport suggest`. */
export function describeSuggestions(suggestions: readonly SuggestionWire[]): readonly string[] {
  if (suggestions.length === 0)
    return [
      'nothing to suggest: no question was asked twice and always allowed, or no setting would answer it',
    ];
  const lines = suggestions.flatMap((suggestion) => {
    const { id, removes, file, diff, examples, also_allows: others, also_count: count } = suggestion;
    return [
      `${id}  would have answered ${removes} questions, all of which were allowed:`,
      ...examples.slice(0, 5).map((what) => `    ${what}`),
      `  in ${file}:`,
      ...diff.map((line) => `    ${line}`),
      count === 0
        ? '  it would have allowed nothing else that was recorded'
        : `  it would also have allowed ${count} other recorded actions:`,
      ...others.slice(0, 10).map(({ what, times }) => `    ${what}${times > 1 ? ` (${times} times)` : ''}`),
      '',
    ];
  });
  return [...lines, `To write one: sallyport suggest --apply ${suggestions[0]?.id ?? 'ID'}`];
}
