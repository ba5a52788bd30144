import { type EventActor, factsOfDoor, type JsonObject, type WiderScope } from '@sallyport/protocol';
import { type Approval, ONCE_GRANT_MS, type StandingAnswers } from '../../approvals/index.ts';
import { accessOf } from './access.ts';
import { isEarlierCover } from './earlier-grants.ts';
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
    refusal(approval, wanted, scope) {
      if (accessOf(approval) !== undefined)
        return 'an answer to this is for what it lists, in this session: allow it once, or deny it';
      if (coverOf(approval, scope) === undefined)
        return scope === undefined
          ? `no standing answer is offered for this: ${wanted === 'never' ? 'deny' : 'allow'} it once`
          : `\`${scope}\` is not offered for this`;
      if (wanted === 'never')
        return factsOfDoor(approval.door).selfDeclared
          ? 'the approval API has no standing no: deny it, or revoke the key of the client'
          : undefined;
      if (wanted === 'always' && !allowAlways(approval.tenant))
        return 'permanent grants are switched off: allow it once, for the session or for some minutes';
      if (wanted === 'session' && sessionOf(approval) === undefined)
        return 'there is no session to allow it for';
      return undefined;
    },

    async create(approval) {
      const wanted = grantsOf(approval);
      if (wanted.length === 0) return undefined;
      const known = await grants.ofApproval(approval.tenant, approval.id);
      if (known !== undefined) return known.id;
      const by = personOf(approval.decidedBy, approval.decidedVia);
      let first: string | undefined;
      for (const grant of wanted) {
        const { id } = await grants.create(grant, by);
        first ??= id;
      }
      return first;
    },

    async createOnce(approval, by, via, until) {
      const asked = approval.listed?.map(({ fingerprint }) => ({ ...approval, fingerprint })) ?? [approval];
      for (const one of asked)
        await grants.create({ ...onceGrant(one, until), createdBy: by }, personOf(by, via));
    },
  };
}

/** One, or one for each line of a whole task. */
function grantsOf(approval: Approval): readonly NewGrant[] {
  const lines = accessOf(approval);
  if (lines === undefined) return [grantOf(approval)].filter((grant) => grant !== undefined);
  const { decision, decidedBy, actor } = approval;
  const { session } = actor;
  if (decidedBy === undefined || session === undefined) return [];
  // SECURITY: several people decide about one thing each, never about a list.
  if (approval.quorum > 1 || (decision?.code !== '1' && decision?.code !== '4')) return [];
  return lines.map(({ covers, most }) => ({
    ...holderOf(approval),
    ...{ covers, createdBy: decidedBy, scope: 'session' as const, session },
    ...(most === undefined ? {} : { usesAtMost: most }),
  }));
}

function grantOf(approval: Approval): NewGrant | undefined {
  const { decision, decidedAt, decidedBy } = approval;
  if (decision === undefined || decidedAt === undefined || decidedBy === undefined) return undefined;
  // SECURITY: no grant for what is asked each time, however the decision came about [AP-7].
  if (approval.strength === 'each-time' || approval.quorum > 1) return undefined;
  const base = { ...holderOf(approval), createdBy: decidedBy };
  const covers = coverOf(approval, decision.scope);
  if (covers !== undefined) {
    if (decision.always === true) return { ...base, covers, answer: 'no', scope: 'always' };
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

/** What was offered: by the numbers, or under the name of a wider scope. */
function coverOf({ offer, wider }: Approval, scope: WiderScope | undefined): GrantCover | undefined {
  const offered: JsonObject | undefined = scope === undefined ? offer : wider?.[scope]?.offer;
  // The gate made it when it asked, and it has been in our database since.
  const cover = offered as GrantCover | undefined;
  // SECURITY: asked by an earlier version, whose offers were too wide [GA-11].
  return cover === undefined || isEarlierCover(cover) ? undefined : cover;
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

/** Who gave an answer, as the trail names them. */
export function personOf(user: string | undefined, via: string | undefined): EventActor {
  return via === 'operator'
    ? { kind: 'operator', via: 'api' }
    : { kind: 'person', user: user ?? '', via: via ?? '' };
}
