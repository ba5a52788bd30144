import type { Action, CommandFact, Opinion } from '@sallyport/protocol';
import { visibleLine } from '../../shared/visible-text.ts';
import { guardedOf, lineOf, secretsOf } from '../../targets/index.ts';
import type { Snapshot } from '../policy/snapshot.ts';
import { stricterOf } from '../rules/strictness.ts';
import { ask, silent } from './layer.ts';

const SILENT = silent('mode');

/** Whether an exception of the mode covers one command of an action, or the action itself. */
type Covers = (fact: CommandFact | undefined) => boolean;

/**
 * What is asked about this machine where no jail holds the agent: what changes it beyond the workspace, what reads a
 * well-known secret, what destroys in the workspace without a snapshot, and what writes where things run later. In a jail all that it can see is its own.
 */
export function judgeMachine(action: Action, snapshot: Snapshot, covers: Covers): Opinion {
  if (action.actor.confinement === 'jailed') return SILENT;
  const line = lineOf(action.target);
  if (line === undefined) return judgeDeed(action, undefined, placesOf(action.target), snapshot, covers);
  let result: Opinion = SILENT;
  for (const fact of line.commands)
    result = stricterOf(result, judgeDeed(fact, fact, fact, snapshot, covers));
  return result;
}

/** Places that people are asked about, as the agent names them. */
type Places = Pick<CommandFact, 'guarded' | 'secrets'>;

function placesOf(target: Action['target']): Places {
  return { guarded: guardedOf(target), secrets: secretsOf(target) };
}

function judgeDeed(
  deed: Pick<CommandFact, 'effect' | 'reach' | 'type' | 'loses'>,
  fact: CommandFact | undefined,
  places: Places,
  snapshot: Snapshot,
  covers: Covers,
): Opinion {
  const why = reasonOf(deed, places, snapshot);
  return why === undefined || covers(fact) ? SILENT : ask('mode', 'human', why);
}

function reasonOf(
  { effect, reach, type, loses }: Pick<CommandFact, 'effect' | 'reach' | 'type' | 'loses'>,
  { guarded: [place] = [], secrets: [secret] = [] }: Places,
  { identity, held }: Snapshot,
): string | undefined {
  if (reach === 'host' && effect === 'write')
    return type === 'custom:destroy'
      ? 'it destroys something on this machine outside the workspace'
      : 'it changes this machine outside the workspace';
  if (loses !== undefined && held !== true) return 'it destroys what no snapshot of the workspace holds';
  // SECURITY: the agent is gone when it runs, and nobody is asked then [JA-7].
  if (place !== undefined)
    return `it writes \`${visibleLine(place)}\`, which may run later as you: git, an editor or a shell reads it`;
  if (secret !== undefined) return `it reads \`${visibleLine(secret)}\`, a place where secrets are kept`;
  // A session that named no folder owns none: nobody can say which files are its own.
  const isPlaced = identity.kind === 'session' && identity.workspace !== undefined;
  return reach === 'host' && !isPlaced
    ? 'it reads files, and this session has named no workspace'
    : undefined;
}
