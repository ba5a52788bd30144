import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Choice, decide, describeDecision, findApproval } from '../approvals/decide.ts';
import type { CliContext, HomeFlags } from '../context.ts';

interface Flags extends HomeFlags {
  readonly json?: boolean;
  readonly for?: number;
  readonly session?: boolean;
  readonly always?: boolean;
  readonly note?: string;
  readonly with?: string;
}

const LONGEST_MINUTES = 1_440;

export function addApprove(program: Command, context: CliContext): void {
  const { output } = context;
  const kinds = ['for', 'session', 'always', 'note', 'with'] as const;
  const alone = (name: (typeof kinds)[number], flag: string, text: string): Option =>
    new Option(flag, text).conflicts(kinds.filter((other) => other !== name));
  program
    .command('approve <id>')
    .description('allow what a question asks: once, unless an option says more')
    .addOption(alone('for', '--for <time>', 'the same again for so long: 15m, 2h').argParser(minutes))
    .addOption(alone('session', '--session', 'for this session (2)'))
    .addOption(alone('always', '--always', 'always, until revoked (6)'))
    .addOption(alone('note', '--note <text>', 'once, with a note for the agent (4)').argParser(filled))
    .addOption(alone('with', '--with <text>', 'once, but this instead (5)').argParser(filled))
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  sallyport approve appr_01…\n  sallyport approve appr_01… --for 15m\n  sallyport approve appr_01… --note 'add logs'\n  sallyport approve appr_01… --with 'npm test'",
    )
    .action(async (id: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const outcome = await decide(operator, await findApproval(operator, id), choiceOf(flags));
      if (flags.json) return output.json(outcome);
      output.line(describeDecision(outcome));
    });
}

function choiceOf(flags: Flags): Choice {
  if (flags.for !== undefined) return { code: '1', minutes: flags.for };
  if (flags.session === true) return { code: '2' };
  if (flags.always === true) return { code: '6' };
  if (flags.note !== undefined) return { code: '4', text: flags.note };
  if (flags.with !== undefined) return { code: '5', text: flags.with };
  return { code: '1' };
}

function minutes(text: string): number {
  const match = /^(\d{1,4})(m|h)$/.exec(text);
  const total = Number(match?.[1] ?? 0) * (match?.[2] === 'h' ? 60 : 1);
  if (total >= 1 && total <= LONGEST_MINUTES) return total;
  throw new InvalidArgumentError('Write whole minutes or hours, a day at most: 15m, 2h.');
}

function filled(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It is empty.');
}
