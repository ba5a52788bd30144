import type { Review } from '../review/review.ts';
import type { Approval } from './approval.ts';

/** What became of an answer; the channel tells the person in its own words. */
export type AnswerOutcome =
  | { readonly kind: 'decided'; readonly approval: Approval }
  | { readonly kind: 'counted'; readonly approval: Approval; readonly missing: number }
  | { readonly kind: 'too-late'; readonly approval: Approval }
  /** the caller had left; the same may pass once, if it is asked again before `until` (ms since epoch) */
  | { readonly kind: 'kept'; readonly approval: Approval; readonly until: number }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

/** Beyond ten open questions a person gets one message instead of many. */
export interface Digest {
  readonly tenant: string;
  /** shown one by one already */
  readonly shown: number;
  /** waiting without a message of their own */
  readonly held: number;
}

/** What the gatekeeper let pass: told afterwards, and there is nothing to answer. */
export interface NoticeItem {
  readonly actionId: string;
  /** one line: what */
  readonly title: string;
  readonly agent?: string;
  readonly review: Review;
}

export interface Notice {
  readonly tenant: string;
  readonly items: readonly NoticeItem[];
  /** how many passed besides those */
  readonly more: number;
}
