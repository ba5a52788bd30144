import { type ApprovalDetail, WIDER_SCOPES, type WiderScope } from '@sallyport/protocol';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { chooseQuestion } from '../approvals/choose-question.ts';
import { type Choice, decide, describeDecision } from '../approvals/decide.ts';
import type { CliContext, HomeFlags } from '../context.ts';
import { visibleLine } from '../output.ts';

interface DenyFlags extends HomeFlags {
  readonly json?: boolean;
  readonly always?: boolean;
  readonly scope?: WiderScope;
  readonly yes?: boolean;
}

interface Flags extends DenyFlags {
  readonly for?: number;
  readonly session?: boolean;
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
    .command('approve [id]')
    .description(
      'allow what a question asks: once, unless an option says more; without an id the only one that waits',
    )
    .addOption(alone('for', '--for <time>', 'the same again for so long: 15m, 2h').argParser(minutes))
    .addOption(alone('session', '--session', 'for this session (2)'))
    .addOption(alone('always', '--always', 'always, until revoked (6)'))
    .addOption(alone('note', '--note <text>', 'once, with a note for the agent (4)').argParser(filled))
    .addOption(alone('with', '--with <text>', 'once, but this instead (5)').argParser(filled))
    .addOption(
      scopeOption('wider than offered, for the session unless --for or --always says else').conflicts([
        'note',
        'with',
      ]),
    )
    .option('--yes', 'with --scope: give it; without, only its words are shown')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  sallyport approve\n  sallyport approve appr_01m7…\n  sallyport approve appr_01… --for 15m\n  sallyport approve appr_01… --note 'add logs'\n  sallyport approve appr_01… --scope reads-of-host --always\n  sallyport approve appr_01… --with 'npm test'",
    )
    .action(async (id: string | undefined, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const operator = context.operator(flags);
      const approval = await chooseQuestion(context, operator, id, 'Allow');
      if (approval === undefined) return output.line('nothing was decided');
      const choice = choiceOf(flags);
      if (flags.scope !== undefined && flags.yes !== true)
        return output.line(wordsOf(approval, flags.scope, lastingOf(choice)));
      const outcome = await decide(operator, approval, choice);
      if (flags.json) return output.json(outcome);
      output.line(describeDecision(outcome));
    });
}

export function addDeny(program: Command, context: CliContext): void {
  const { output } = context;
  program
    .command('deny [id]')
    .description('refuse what a question asks; without an id the only one that waits')
    .option('--always', 'and refuse it from now on, without asking anybody')
    .addOption(
      scopeOption('refuse more than this operation on this object, always').implies({ always: true }),
    )
    .option('--yes', 'with --scope: say it; without, only its words are shown')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExamples:\n  sallyport deny appr_01…\n  sallyport deny appr_01… --always')
    .action(async (id: string | undefined, _flags: DenyFlags, command: Command) => {
      const flags = command.optsWithGlobals<DenyFlags>();
      const { always, scope, yes } = flags;
      const operator = context.operator(flags);
      const approval = await chooseQuestion(context, operator, id, 'Deny');
      if (approval === undefined) return output.line('nothing was decided');
      if (scope !== undefined && yes !== true)
        return output.line(wordsOf(approval, scope, ', refused until someone revokes it'));
      const outcome = await decide(operator, approval, {
        code: '3',
        ...(always === true ? { always } : {}),
        ...(scope === undefined ? {} : { scope }),
      });
      if (flags.json) return output.json(outcome);
      output.line(describeDecision(outcome));
    });
}

function scopeOption(text: string): Option {
  return new Option('--scope <scope>', text).choices(WIDER_SCOPES);
}

/** All that a wider answer covers, before anybody gives it. */
function wordsOf({ scopes }: ApprovalDetail, wanted: WiderScope, lasting: string): string {
  const found = scopes.find(({ scope }) => scope === wanted);
  if (found === undefined) {
    const offered = scopes.map(({ scope }) => `\`${scope}\``).join(', ');
    return `\`${wanted}\` is not offered for this question; ${offered === '' ? 'nothing wider is' : `offered: ${offered}`}`;
  }
  return `This would cover: ${visibleLine(found.covers)}${lasting}.\nNothing is decided yet. To give it, add --yes.`;
}

function lastingOf({ code, minutes }: Choice): string {
  if (minutes !== undefined) return `, for ${minutes} minutes`;
  return code === '6' ? ', until someone revokes it' : ', in this session';
}

function choiceOf(flags: Flags): Choice {
  const { scope } = flags;
  const choice = plainChoice(flags);
  if (scope === undefined) return choice;
  // A wider answer stands; once has no width.
  const stands = choice.code === '6' || choice.minutes !== undefined;
  return { ...(stands ? choice : { code: '2' }), scope };
}

function plainChoice(flags: Flags): Choice {
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
