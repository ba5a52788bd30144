import type { Confinement, EventActor } from '@sallyport/protocol';
import type { SessionRecord } from '../store/index.ts';

/** What a live session proves about whoever holds its token. Frozen. Times are ms since epoch. */
export interface SessionFacts {
  readonly id: string;
  readonly tenant: string;
  readonly user: string;
  readonly agent: string;
  /** agents from the first to this one */
  readonly chain: readonly string[];
  readonly confinement: Confinement;
  /** names of credentials that may be lent, never values */
  readonly credentials: readonly string[];
  /** `host/owner/name` of each remote of the workspace, as it was when the session began */
  readonly repositories?: readonly string[];
  /** canonical: the folder that the agent works in */
  readonly workspace?: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export function toFacts(record: SessionRecord): SessionFacts {
  const { endedAt: _endedAt, endReason: _endReason, ...facts } = record;
  return Object.freeze(facts);
}

const actors = new WeakMap<SessionFacts, EventActor>();

/** The session as the cause of an event: the same frozen object each time, so that its JSON is written once. */
export function toEventActor(facts: SessionFacts): EventActor {
  const known = actors.get(facts);
  if (known !== undefined) return known;
  const { id, tenant, user, agent, chain, confinement } = facts;
  const actor: EventActor = { kind: 'agent', tenant, user, agent, session: id, chain, confinement };
  if (Object.isFrozen(facts)) actors.set(facts, Object.freeze(actor));
  return actor;
}
