import type { Logger } from '../audit/index.ts';
import { type GroundServices, SYSTEM_TENANT } from '../ground/index.ts';
import type { AgentPeer } from '../identity/index.ts';
import { assertNever } from '../shared/assert-never.ts';
import type { Clock } from '../shared/clock.ts';

/** An agent that keeps trying is told of so often, and does not fill the trail. */
const TOLD_EVERY_MS = 60_000;
const REMEMBERED = 1_000;

/** Writes down that an agent came to the operator side. Under its session's tenant where that is known. */
export function recordRefusedAgents(
  { trail, sessions }: Pick<GroundServices, 'trail' | 'sessions'>,
  clock: Clock,
  log: Logger,
): (peer: AgentPeer, how: 'socket' | 'port') => void {
  const told = new Map<string, number>();
  return (peer, how) => {
    const who = nameOf(peer);
    const now = clock.now();
    if (now - (told.get(who) ?? Number.NEGATIVE_INFINITY) < TOLD_EVERY_MS) return;
    if (told.size >= REMEMBERED) told.clear();
    told.set(who, now);
    log.warn({ peer, how }, 'a process of an agent was refused on the operator side');
    // It may have been anyone's.
    if (peer.kind === 'gone') return;
    const tenant =
      peer.kind === 'session' ? (sessions.peek(peer.id)?.tenant ?? SYSTEM_TENANT) : SYSTEM_TENANT;
    trail
      .append({
        tenant,
        type: 'IdentityEvent::OperatorRefused',
        actor: { kind: 'gateway' },
        data: { via: how, from: peer.kind, who },
      })
      .catch((error: unknown) => log.error({ err: error }, 'an event was not recorded'));
  };
}

function nameOf(peer: AgentPeer): string {
  switch (peer.kind) {
    case 'session':
      return peer.id;
    case 'server':
      return peer.name;
    case 'marked':
      return peer.variable;
    case 'gone':
      return 'gone';
    default:
      return assertNever(peer);
  }
}
