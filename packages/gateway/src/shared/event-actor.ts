import type { Actor, EventActor } from '@sallyport/protocol';

const actors = new WeakMap<Actor, EventActor>();

/** An agent as the trail names it: the same frozen object for the same frozen actor, so that its JSON is written once. */
export function eventActor(actor: Actor): EventActor {
  const known = actors.get(actor);
  if (known !== undefined) return known;
  const made: EventActor = { kind: 'agent', ...actor };
  if (Object.isFrozen(actor)) actors.set(actor, Object.freeze(made));
  return made;
}
