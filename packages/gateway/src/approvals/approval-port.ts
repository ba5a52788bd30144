import type { WiderScope } from '@sallyport/protocol';
import type { Approval, QuestionDraft } from './approval/approval.ts';

/** How a question ended for one caller that waited for it. */
export type Answer =
  /** it is this caller's: allowed once, denied, expired or cancelled */
  | { readonly kind: 'ended'; readonly approval: Approval }
  /** somebody answered, but not for this caller alone: look at the grants, and ask again if none covers it */
  | { readonly kind: 'again' }
  /** the caller itself left */
  | { readonly kind: 'left' };

export interface AskOptions {
  /** aborts when the caller leaves */
  readonly signal: AbortSignal;
  /** what is wrong with a replacement (code 5) for this action; absent: it takes none */
  readonly checkOverride?: (text: string) => string | undefined;
  /** told the id of the question once people are asked it */
  readonly onAsked?: ((approval: string) => void) | undefined;
}

/** How the gate asks people. It never decides: what comes back is judged again. */
export interface ApprovalPort {
  /** Asks and waits. Rejects when it cannot ask; a caller that leaves is told at once. */
  ask(draft: QuestionDraft, options: AskOptions): Promise<Answer>;
  /** Asks and returns at once. */
  open(draft: QuestionDraft): Promise<Approval>;
  /** How many different people must agree, as configured now. */
  quorumOf(draft: QuestionDraft): number;
}

/**
 * Standing answers, as far as approvals need them: the gate knows what a grant is.
 *
 * `refusal` says why a code may not be given for this question, before anything is decided; `create` makes the
 * grant of a decided one (undefined when its code leaves none) and makes it once, however often it is called.
 */
export interface StandingAnswers {
  refusal(
    approval: Approval,
    wanted: 'session' | 'minutes' | 'always' | 'never',
    scope?: WiderScope,
  ): string | undefined;
  create(approval: Approval): Promise<string | undefined>;
  /** a once-grant on the fingerprint of each action; `until` in ms since epoch */
  createOnce(approval: Approval, by: string, via: string, until: number): Promise<void>;
}
