import { assertNever } from '../shared/assert-never.ts';
import type { Approval, Decision } from './approval.ts';
import type { StandingAnswers } from './approval-port.ts';
import type { ChannelCeiling } from './channels/channel.ts';

/** How far a decision reaches beyond this one execution. */
type Reach = 'once' | 'session' | 'minutes' | 'always';

export function reachOf({ code, minutes }: Decision): Reach {
  switch (code) {
    case '2':
      return 'session';
    case '6':
      return 'always';
    case '1':
      return minutes === undefined ? 'once' : 'minutes';
    case '3':
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
  if (reach === 'once') return undefined;
  // SECURITY: `each-time` and quorum are for people alone, whatever code they send [AP-7].
  if (approval.strength === 'each-time' || approval.quorum > 1)
    return 'this is asked each time: allow it once, or deny it';
  if (ORDER[reach] > ORDER[ceiling])
    return `this channel may allow ${ceiling === 'once' ? 'once' : 'once or for the session'} only`;
  if (approval.covers[reach] === undefined) return 'no standing answer is offered for this: allow it once';
  return standing.refusal(approval, reach);
}
