import { assertNever } from '../shared/assert-never.ts';
import type { Approval, Decision } from './approval/approval.ts';
import type { StandingAnswers } from './approval-port.ts';
import type { ChannelCeiling } from './channels/channel.ts';

/** How far a decision reaches beyond this one execution. */
type Reach = 'once' | 'session' | 'minutes' | 'always' | 'never';

export function reachOf({ code, minutes, always }: Decision): Reach {
  switch (code) {
    case '2':
      return 'session';
    case '6':
      return 'always';
    case '1':
      return minutes === undefined ? 'once' : 'minutes';
    case '3':
      return always === true ? 'never' : 'once';
    case '4':
    case '5':
      return 'once';
    default:
      return assertNever(code);
  }
}

const ORDER: Readonly<Record<ChannelCeiling | Reach, number>> = {
  once: 0,
  session: 1,
  minutes: 1,
  always: 2,
  // It only refuses: whoever may say no once may say it for good.
  never: 0,
};

/** Why this question cannot be answered that way, in words for the person; undefined when it can. */
export function refusalOf(
  approval: Approval,
  decision: Decision,
  ceiling: ChannelCeiling,
  standing: Pick<StandingAnswers, 'refusal'>,
): string | undefined {
  const reach = reachOf(decision);
  if (approval.quorum > 1 && decision.code === '5')
    return 'several people decide this, so nobody can change it alone: allow it once, or deny it';
  if (approval.isFixed === true && decision.code === '5')
    return 'this cannot be changed, only allowed or denied';
  if (approval.listed !== undefined && decision.code === '5')
    return 'several actions are asked about together, so none can be changed: allow them, or deny them';
  if (reach === 'once') return undefined;
  if (reach === 'never') return standing.refusal(approval, reach, decision.scope);
  // SECURITY: `each-time` and quorum are for people alone, whatever code they send [AP-7].
  if (approval.strength === 'each-time' || approval.quorum > 1)
    return 'this is asked each time: allow it once, or deny it';
  if (ORDER[reach] > ORDER[ceiling])
    return `this channel may allow ${ceiling === 'once' ? 'once' : 'once or for the session'} only`;
  if (approval.covers[reach] === undefined) return 'no standing answer is offered for this: allow it once';
  return standing.refusal(approval, reach, decision.scope);
}
