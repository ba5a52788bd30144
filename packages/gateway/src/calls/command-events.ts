import type { Action, NewEvent } from '@sallyport/protocol';
import { eventActor } from '../shared/event-actor.ts';

export interface CommandEnding {
  readonly startedAt: number;
  readonly code?: number | null;
  readonly signal?: string | null;
  /** why it was ended from here */
  readonly cut?: string;
  /** why it could not be run to its end */
  readonly violation?: string;
}

/** How a command at the SSH door ended. It names no word of the command: those are in the verdict's event. */
export function commandEvent(action: Action, ending: CommandEnding): NewEvent {
  const { startedAt, code, signal, cut, violation } = ending;
  const isWhole = cut === undefined && violation === undefined;
  return {
    tenant: action.actor.tenant,
    type: isWhole
      ? 'CommandExecutionEvent::CommandExecutionCompleted'
      : 'CommandExecutionEvent::CommandExecutionFailed',
    actor: eventActor(action.actor),
    action_id: action.id,
    data: {
      command: action.tool,
      via: 'ssh',
      ms: Math.round(performance.now() - startedAt),
      ...(code === undefined || code === null ? {} : { exit_code: code }),
      ...(signal === undefined || signal === null ? {} : { signal }),
      ...(isWhole ? {} : { violation: violation ?? cut ?? '' }),
      ...(action.target.credential === undefined ? {} : { credential: action.target.credential }),
    },
  };
}
