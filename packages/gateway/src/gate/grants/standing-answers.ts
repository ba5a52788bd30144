import { type EventActor, factsOfDoor } from '@sallyport/protocol';
import { type Approval, ONCE_GRANT_MS, type StandingAnswers } from '../../approvals/index.ts';
import type { GrantCover } from './grant.ts';
import type { Grants, NewGrant } from './grants.ts';

const MINUTE_MS = 60_000;

export interface StandingAnswersParts {
  readonly grants: Pick<Grants, 'create' | 'ofApproval'>;
  /** whether the tenant's config lets people grant for good */
  readonly allowAlways: (tenant: string) => boolean;
}

/** What people's decisions leave behind: the grant that the question offered, never a wider one. */
export function createStandingAnswers({ grants, allowAlways }: StandingAnswersParts): StandingAnswers {
  return {
    refusal(approval, wanted) {
      if (approval.offer === undefined) return 'no standing answer is offered for this: allow it once';
      if (wanted === 'always' && !allowAlways(approval.tenant))
        return 'permanent grants are switched off: allow it once, for the session or for some minutes';
      if (wanted === 'session' && sessionOf(approval) === undefined)
        return 'there is no session to allow it for';
      return undefined;
    },

    async create(approval) {
      const wanted = grantOf(approval);
      if (wanted === undefined) return undefined;
      const known = await grants.ofApproval(approval.tenant, approval.id);
      if (known !== undefined) return known.id;
      return (await grants.create(wanted, personOf(approval.decidedBy, approval.decidedVia))).id;
    },

    async createOnce(approval, by, via, until) {
      const grant = { ...onceGrant(approval, until), createdBy: by };
      return (await grants.create(grant, personOf(by, via))).id;
    },
  };
}

function grantOf(approval: Approval): NewGrant | undefined {
  const { decision, decidedAt, decidedBy } = approval;
  if (decision === undefined || decidedAt === undefined || decidedBy === undefined) return undefined;
  // SECURITY: no grant for what is asked each time, however the decision came about [AP-7].
  if (approval.strength === 'each-time' || approval.quorum > 1) return undefined;
  const base = { ...holderOf(approval), createdBy: decidedBy };
  // The gate made `offer` when it asked, and it has been in our database since.
  const covers = approval.offer as GrantCover | undefined;
  if (covers !== undefined) {
    const session = sessionOf(approval);
    if (decision.code === '2' && session !== undefined) return { ...base, covers, scope: 'session', session };
    if (decision.code === '6') return { ...base, covers, scope: 'always' };
    if (decision.code === '1' && decision.minutes !== undefined)
      return { ...base, covers, scope: 'minutes', expiresAt: decidedAt + decision.minutes * MINUTE_MS };
  }
  if (approval.sentAgain === true && (decision.code === '1' || decision.code === '4'))
    return { ...onceGrant(approval, decidedAt + ONCE_GRANT_MS), createdBy: decidedBy };
  return undefined;
}

function onceGrant(approval: Approval, expiresAt: number): Omit<NewGrant, 'createdBy'> {
  const covers = { kind: 'fingerprint', fingerprint: approval.fingerprint } as const;
  return { ...holderOf(approval), covers, scope: 'once', expiresAt };
}

function holderOf({
  tenant,
  actor,
  id,
}: Approval): Pick<NewGrant, 'tenant' | 'agent' | 'client' | 'approvalId'> {
  return {
    tenant,
    ...(actor.agent === undefined ? {} : { agent: actor.agent }),
    ...(actor.client === undefined ? {} : { client: actor.client }),
    approvalId: id,
  };
}

function sessionOf({ door, actor, sessionId }: Approval): string | undefined {
  return factsOfDoor(door).speaker === 'client' ? sessionId : actor.session;
}

function personOf(user: string | undefined, via: string | undefined): EventActor {
  return via === 'operator'
    ? { kind: 'operator', via: 'api' }
    : { kind: 'person', user: user ?? '', via: via ?? '' };
}
