import type { Action, Verdict } from '@sallyport/protocol';
import type { Approval } from '../../approvals/index.ts';
import type { Grant } from '../grants/grant.ts';
import { personOf } from '../grants/standing-answers.ts';
import type { AdmitOptions, GateParts } from './gate-parts.ts';

/** How long a yes waits for the request that it led to, in ms, and for how many of them. */
const NEXT_DOOR_MS = 60_000;
const REQUESTS_AT_MOST = 8;

/** What was allowed, and the people's answer that allowed it: now, or before. */
interface Answered {
  readonly action: Action;
  readonly consent?: Approval;
  readonly granted?: Grant | undefined;
}

/**
 * What people said yes to at one door is not asked again where it arrives: a program that was allowed with its request.
 *
 * SECURITY: for that very request, once, for a minute, in the same session, at no higher risk than was shown, and only for
 * what people answered: not for what a policy or a reviewer allowed [AP-1].
 */
export async function leaveForNextDoor(
  { nextDoor, clock }: Pick<GateParts, 'nextDoor' | 'clock'>,
  { action, consent, granted }: Answered,
  verdict: Verdict,
  leadsTo: AdmitOptions['leadsTo'],
): Promise<void> {
  const createdBy = consent?.decidedBy ?? granted?.createdBy;
  const { tenant, agent, session } = action.actor;
  if (nextDoor === undefined || leadsTo === undefined || createdBy === undefined) return;
  if (agent === undefined || session === undefined || verdict.kind !== 'allow') return;
  if (verdict.by !== 'person' && verdict.by !== 'grant') return;
  try {
    for (const key of leadsTo(action).slice(0, REQUESTS_AT_MOST)) {
      const expiresAt = clock.now() + NEXT_DOOR_MS;
      const covers = { kind: 'request', key, risk: action.risk } as const;
      const wanted = { tenant, agent, session, covers, scope: 'once', expiresAt, createdBy } as const;
      await nextDoor.create(wanted, personOf(createdBy, consent?.decidedVia));
    }
  } catch {
    // What cannot be kept is asked about again.
  }
}
