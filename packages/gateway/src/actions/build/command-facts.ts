import type { ActionType, CommandTarget, Effect, Reach, Risk, Target } from '@sallyport/protocol';
import { eachOnce, hostsInPieces, hostsInText, serviceHosts, withOwnCredentials } from '../cli/index.ts';
import type { ActionContext } from './action-context.ts';
import { summarizeCommands } from './command-summary.ts';
import { settledPushes } from './settled-push.ts';
import { lent, TargetRefusal } from './tool-target.ts';

/** What is known of a call once it has been read. */
export interface Facts {
  readonly type: ActionType;
  readonly effect: Effect;
  readonly reach: Reach;
  readonly risk: Risk;
  readonly target: Target;
}

export type ReadShell = (
  line: string,
  context: ActionContext,
) => Pick<CommandTarget, 'commands' | 'unknown' | 'mentions'>;

export function shellFacts(
  line: string,
  form: CommandTarget['form'],
  context: ActionContext,
  readShell: ReadShell,
): Facts {
  const { commands: read, unknown, mentions } = readShell(line, context);
  const confined = context.actor.confinement === 'jailed';
  const commands = settledPushes(read.map(withOwnCredentials));
  // In the order of the alphabet, as the facts inside are: then the engine itself writes the text that is hashed.
  const target: CommandTarget = {
    commands,
    ...lent(context),
    cwd: context.cwd,
    form,
    ...(unknown === undefined || confined ? undefined : hostsOfLine(line)),
    kind: 'command',
    ...(mentions === undefined ? undefined : { mentions }),
    ...(unknown === undefined ? undefined : { unknown }),
  };
  return { ...summarizeCommands(commands, unknown, confined), target };
}

/** SECURITY: what a line does that cannot be read is not known; which addresses it spells out, is [GA-13]. */
function hostsOfLine(line: string): Pick<CommandTarget, 'hosts'> {
  const hosts = eachOnce([...hostsInText(line), ...hostsInPieces(line), ...serviceHosts(line)]);
  return hosts.length === 0 ? {} : { hosts };
}

export function argumentList(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((entry): entry is string => typeof entry === 'string'))
    return value;
  throw new TargetRefusal({ code: 'Malformed', message: 'the arguments must be a list of texts' });
}

/** An argv as a line in which every word is literal: one reader serves both. */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}
