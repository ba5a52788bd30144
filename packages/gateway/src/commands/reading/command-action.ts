import { resolve } from 'node:path';
import type {
  Action,
  CommandFact,
  CommandTarget,
  JsonObject,
  PathFact,
  RepositoryFact,
} from '@sallyport/protocol';
import { type ActionContext, finishAction } from '../../actions/index.ts';
import { visibleText } from '../../shared/visible-text.ts';
import type { CommandIntent } from '../wrapper.ts';
import type { ReadCommand } from './read-command.ts';

/** What the door knows of a command besides its words. */
export interface CommandExtras {
  /** what an approval is bound to as well: digests of carried files, of a plan, of what was pushed */
  readonly bound?: JsonObject;
  /** what was read from the packets of a push, in place of what its words say */
  readonly repo?: RepositoryFact;
  /** the same for what it does and to what */
  readonly intent?: Pick<CommandIntent, 'operation' | 'object' | 'type' | 'risk'>;
  /** lines for people below the command: the plan that is applied, the refs that a push moves */
  readonly shown?: string;
  /** found later, in files: the strictest of it and of the words counts */
  readonly trap?: ReadCommand['trap'];
}

/**
 * The action of one command at the SSH door.
 *
 * A trap that is refused is a problem of the target, which no policy allows; one that is asked about is a fact that the
 * gate asks a person about each time [SS-4].
 */
export function commandAction(
  read: ReadCommand,
  context: ActionContext,
  { bound = {}, repo, shown, trap: later, intent: more }: CommandExtras = {},
): Action {
  const { argv, files } = read;
  const intent: CommandIntent = { ...read.intent, ...more };
  const trap = read.trap?.answer === 'refuse' || later === undefined ? read.trap : later;
  const { effect, reach, type, risk, operation, object, hosts, unknownHosts, runsCode, request, unknown } =
    intent;
  const repository = repo ?? intent.repo;
  const writes: readonly PathFact[] = files.writes.map((given) => ({
    given,
    real: resolve(context.cwd, given),
    access: 'write',
  }));
  const fact: CommandFact = {
    program: argv[0] ?? '',
    argv,
    text: argv.join(' '),
    effect,
    reach,
    type,
    risk,
    operation,
    writes,
    ...(object === undefined ? {} : { object }),
    ...(hosts === undefined ? {} : { hosts }),
    ...(unknownHosts === undefined ? {} : { unknownHosts }),
    ...(runsCode === undefined ? {} : { runsCode }),
    ...(request === undefined ? {} : { request }),
    ...(repository === undefined ? {} : { repo: repository }),
    ...(unknown === undefined ? {} : { unknown }),
    ...(trap?.answer === 'ask' ? { trap: trap.sentence } : {}),
  };
  const target: CommandTarget = {
    kind: 'command',
    form: 'argv',
    cwd: context.cwd,
    commands: [fact],
    ...(context.credential === undefined ? {} : { credential: context.credential }),
    ...(trap?.answer === 'refuse' ? { problem: { code: 'Malformed', message: trap.sentence } } : {}),
  };
  return finishAction({
    door: context.door,
    actor: context.actor,
    tool: read.wrapper.name,
    ...{ type, effect, reach, risk, target },
    input: { argv: [...argv], ...bound },
    preview: shown === undefined ? intent.preview : `${intent.preview}\n${visibleText(shown)}`,
  });
}
