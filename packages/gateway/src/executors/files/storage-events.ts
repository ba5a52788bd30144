import type { Actor, EventType, JsonObject, NewEvent } from '@sallyport/protocol';

export type StorageOperation = 'read' | 'list' | 'write' | 'create' | 'delete';

/** One line of the trail about the files of a volume. Paths are the agent's, never this machine's. */
export function eventOf(
  { actor, actionId }: { readonly actor: Actor; readonly actionId?: string },
  type: EventType & `StorageEvent::${string}`,
  data: JsonObject,
): NewEvent {
  return {
    tenant: actor.tenant,
    type,
    actor: { kind: 'agent', ...actor },
    ...(actionId === undefined ? {} : { action_id: actionId }),
    data,
  };
}
