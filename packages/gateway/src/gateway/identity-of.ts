import { type Action, factsOfDoor } from '@sallyport/protocol';
import type { IdentityFacts } from '../gate/index.ts';
import type { Sessions } from '../identity/index.ts';

type Rights = (IdentityFacts & { readonly kind: 'session' })['rights'];

/** What is known at this moment of whoever wants the action. */
export function identityOf(
  action: Action,
  sessions: Pick<Sessions, 'peek'>,
  rightsOf: (action: Action) => Rights,
): IdentityFacts {
  const { door, actor } = action;
  // The route of the approval API has just checked the key.
  if (factsOfDoor(door).speaker === 'client' && actor.client !== undefined)
    return { kind: 'client', active: true };
  const facts = actor.session === undefined ? undefined : sessions.peek(actor.session);
  // SECURITY: an action speaks for the session that it names, or for nobody.
  if (facts === undefined || facts.tenant !== actor.tenant || facts.agent !== actor.agent)
    return { kind: 'none' };
  return { kind: 'session', alive: true, expiresAt: facts.expiresAt, rights: rightsOf(action) };
}
