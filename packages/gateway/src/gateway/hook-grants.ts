import type { OpenApprovals } from '../approvals/index.ts';
import type { Grants } from '../gate/index.ts';
import type { Clock } from '../shared/clock.ts';

/** how long the request of an allowed line may take to come, in ms */
const FORESEEN_MS = 120_000;

/** Leaves a once-grant for each request that an allowed line will make; the approval is the one that allowed it. */
export function hookGrants(
  grants: Pick<Grants, 'create'>,
  { approvals }: Pick<OpenApprovals, 'approvals'>,
  clock: Clock,
): (approvalId: string, selectors: readonly string[]) => Promise<void> {
  return async (approvalId, selectors) => {
    const approval = await approvals.find(approvalId);
    // SECURITY: no grant for what is asked each time, or by several people [AP-7].
    if (approval?.decidedBy === undefined || approval.strength === 'each-time' || approval.quorum > 1) return;
    const { tenant, actor, decidedBy, decidedVia: via } = approval;
    if (actor.agent === undefined) return;
    for (const selector of selectors) {
      await grants.create(
        {
          ...{ tenant, agent: actor.agent, createdBy: decidedBy, approvalId },
          covers: { kind: 'pattern', selector, credential: null },
          scope: 'once',
          expiresAt: clock.now() + FORESEEN_MS,
        },
        via === 'operator' || via === undefined
          ? { kind: 'operator', via: 'api' }
          : { kind: 'person', user: decidedBy, via },
      );
    }
  };
}
