import type { Actor } from '@sallyport/protocol';
import type { SessionFacts } from '../identity/index.ts';

const actors = new WeakMap<SessionFacts, Actor>();

/** One frozen object for each session: what is derived from it is then kept, wherever it is needed. */
export function actorOf(session: SessionFacts): Actor {
  const known = actors.get(session);
  if (known !== undefined) return known;
  const { tenant, user, agent, id, chain, confinement } = session;
  const actor: Actor = Object.freeze({ tenant, user, agent, session: id, chain, confinement });
  if (Object.isFrozen(session)) actors.set(session, actor);
  return actor;
}
