import type { Action, Judgement, Risk } from '@sallyport/protocol';
import type { AccessGrant } from '../grants/access.ts';
import { describeGrant } from '../grants/describe-grant.ts';
import { offerGrant } from '../grants/offer-grant.ts';

/** What would become of an action if it came now. Nothing is carried out, counted or asked. */
export type Foreseen =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'denied'; readonly reason: string }
  /** people are asked about it, and no standing answer can hold */
  | { readonly kind: 'each-time'; readonly reason: string }
  | {
      readonly kind: 'askable';
      readonly covers: AccessGrant['covers'];
      /** what that covers, for people */
      readonly words: string;
      readonly risk: Risk;
    };

/**
 * Says it of a judgement. `mayStand`: whether a standing answer would be looked up at all.
 *
 * SECURITY: what is offered is what `2` would offer for this very action, and only where that names operation and object [GA-11].
 */
export function foreseen(action: Action, judgement: Judgement, mayStand: boolean): Foreseen {
  if (judgement.outcome === 'allow') return { kind: 'allowed' };
  if (judgement.outcome === 'deny') return { kind: 'denied', reason: judgement.reason };
  const { reason, strength } = judgement;
  if (strength === 'each-time' || !mayStand) return { kind: 'each-time', reason };
  const covers = offerGrant(action, judgement);
  if (covers.kind !== 'operation') return { kind: 'each-time', reason: 'it is of the highest risk' };
  const { agent } = action.actor;
  const words = describeGrant({ ...(agent === undefined ? {} : { agent }), covers, scope: 'session' });
  return { kind: 'askable', covers, words, risk: action.risk };
}
