import {
  type Action,
  type EventType,
  type JsonObject,
  type NewEvent,
  SallyportError,
} from '@sallyport/protocol';
import { z } from 'zod';
import { CommandSchema, TOOLS } from '../../tools/index.ts';
import type { ToolListing } from '../tools/tool-path.ts';
import { type CommandEnd, violationOf } from './command-result.ts';

export const COMMAND_TOOL = 'cmd.run';

/** A command as it was admitted. */
export type Command = z.infer<typeof CommandSchema>;

/** Reads the input of `cmd.run`. Throws `BadRequest` with the place of the first problem. */
export function parseCommand(input: JsonObject): Command {
  const parsed = CommandSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SallyportError('BadRequest', {
    message: `\`${COMMAND_TOOL}\` cannot take this input: ${issue?.path.join('.') || 'input'}: ${issue?.message ?? ''}`,
    hint: 'send `command`, and if needed `args`, `cwd` and `timeout_secs`',
  });
}

const { title, description, destructive } = TOOLS[COMMAND_TOOL].schema;

export const COMMAND_LISTING: ToolListing = {
  ...{ tool: COMMAND_TOOL, title, description },
  // `as`: what zod writes is JSON; its own type says less.
  inputSchema: z.toJSONSchema(CommandSchema, { io: 'input' }) as unknown as JsonObject,
  annotations: { readOnlyHint: false, destructiveHint: destructive, openWorldHint: true },
};

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
