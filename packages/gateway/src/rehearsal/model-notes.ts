import type { Action, Judgement } from '@sallyport/protocol';
import { type PolicySet, validationsFor } from '../gate/index.ts';

/** What models may still say about an action: they are no layer of the policy, so no layer tells of them. */
export function modelNotes(judgement: Judgement, action: Action, policies: PolicySet): readonly string[] {
  if (judgement.outcome === 'deny') return [];
  const { tenant } = action.actor;
  const policy = policies.policyOf(tenant);
  const { config } = policies.loaded;
  const gatekeeper = config.tenants[tenant]?.gatekeeper ?? config.gatekeeper;
  const criteria = policy === undefined ? [] : validationsFor(policy, action);
  return [
    ...criteria.map(
      ({ tool }) => `a model checks it first by \`tool_validation.${tool}\`, and may refuse it`,
    ),
    ...(gatekeeper === undefined || judgement.outcome !== 'ask' || judgement.strength !== 'review'
      ? []
      : [
          gatekeeper.auto_approve === 'none'
            ? 'the gatekeeper reviews it first; people see the review and answer'
            : `the gatekeeper reviews it first, and may answer alone up to risk \`${gatekeeper.auto_approve}\``,
        ]),
  ];
}
