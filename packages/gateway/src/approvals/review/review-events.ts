import type { Action, JsonObject, NewEvent } from '@sallyport/protocol';

type ReviewEventType = Extract<NewEvent['type'], `ReviewEvent::${string}`>;

/** What a model said, or did not say, about an action. Nothing of the action's input is in it. */
export function reviewEvent(type: ReviewEventType, action: Action, data: JsonObject): NewEvent {
  return {
    tenant: action.actor.tenant,
    type,
    actor: { kind: 'gateway' },
    action_id: action.id,
    data: { tool: action.tool, binding: action.binding, ...data },
  };
}
