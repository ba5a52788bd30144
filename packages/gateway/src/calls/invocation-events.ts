import type { Action, AuditLevel, EventDetail, Json, NewEvent } from '@sallyport/protocol';
import { eventActor } from '../shared/event-actor.ts';

/** A call came in that a door understood; nothing is decided yet. */
export function requestedEvent(action: Action): NewEvent {
  return {
    tenant: action.actor.tenant,
    type: 'MCPToolEvent::InvocationRequested',
    actor: eventActor(action.actor),
    action_id: action.id,
    data: { door: action.door, tool: action.tool },
  };
}

export interface InvocationEnd {
  readonly startedAt: number;
  /** the tool itself said that it failed */
  readonly isError?: boolean;
  /** why it could not be carried out */
  readonly error?: string;
  /** what the tool answered, where the trail keeps that, and the exit code of a command */
  readonly answer?: Json | undefined;
  readonly exitCode?: number | undefined;
}

/** A failure of the server, or of the tool in its own words, is `InvocationFailed`. */
export function outcomeEvent(action: Action, end: InvocationEnd, level?: AuditLevel): NewEvent {
  const { startedAt, isError, error } = end;
  const failed = error !== undefined || isError === true;
  return {
    tenant: action.actor.tenant,
    type: failed ? 'MCPToolEvent::InvocationFailed' : 'MCPToolEvent::InvocationCompleted',
    actor: eventActor(action.actor),
    action_id: action.id,
    data: {
      door: action.door,
      tool: action.tool,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      ...(error === undefined ? {} : { error }),
    },
    ...(level === undefined || level === 'metadata' ? {} : { detail: detailOf(end) }),
  };
}

function detailOf({ isError, error, answer, exitCode }: InvocationEnd): EventDetail {
  return {
    status: error ?? exitCode ?? (isError === true ? 'error' : 'ok'),
    ...(answer === undefined ? {} : { response_body: answer }),
  };
}
