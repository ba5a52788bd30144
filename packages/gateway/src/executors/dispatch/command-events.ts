import type { Action, EventType, JsonObject, NewEvent } from '@sallyport/protocol';
import type { Command } from './command.ts';
import { type CommandEnd, violationOf } from './command-result.ts';

/** Who runs the command: the worker in the agent's sandbox, or a sandbox of the gateway's own. */
export interface CommandRun {
  readonly action: Action;
  readonly command: Command;
  readonly via: 'worker' | 'sandbox';
  readonly dispatch?: string;
}

type CommandEvent = Extract<EventType, `CommandExecutionEvent::CommandExecution${string}`>;

function event(
  type: CommandEvent,
  { action, command, via, dispatch }: CommandRun,
  data: JsonObject,
): NewEvent {
  return {
    tenant: action.actor.tenant,
    type,
    actor: { kind: 'agent', ...action.actor },
    action_id: action.id,
    data: {
      command: command.command,
      via,
      ...(dispatch === undefined ? {} : { dispatch }),
      ...data,
    },
  };
}

export function startedEvent(run: CommandRun): NewEvent {
  return event('CommandExecutionEvent::CommandExecutionStarted', run, {
    timeout_secs: run.command.timeout_secs,
  });
}

/** It ended by itself, whatever its exit code; or it was stopped, which is a failure. */
export function endedEvent(run: CommandRun, end: CommandEnd): NewEvent {
  const violation = violationOf(end);
  const data = { exit_code: end.exitCode, ms: Math.round(end.durationMs), truncated: end.truncated };
  return violation === undefined
    ? event('CommandExecutionEvent::CommandExecutionCompleted', run, data)
    : event('CommandExecutionEvent::CommandExecutionFailed', run, { ...data, violation });
}

/** Nobody knows how it ended. */
export function failedEvent(run: CommandRun, violation: string): NewEvent {
  return event('CommandExecutionEvent::CommandExecutionFailed', run, { violation });
}
